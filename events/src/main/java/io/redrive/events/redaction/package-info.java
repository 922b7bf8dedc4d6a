/**
 * Keeps secrets out of stored and shown texts. The terms, in the order in which a reader meets them:
 *
 * <dl>
 *   <dt>rule</dt>
 *   <dd>Names values that must not be seen: fields of a JSON payload by <em>pointer</em>, headers by name, or parts of any text by
 *       <em>pattern</em>, a regular expression.
 *   <dt>redaction</dt>
 *   <dd>Some rules and their mode; {@link io.redrive.events.redaction.Redaction} replaces the values.
 *   <dt>mode</dt>
 *   <dd>When rules apply: before a value is <em>shown</em>, or also before the value is <em>stored</em> in a letter.
 *   <dt>mark</dt>
 *   <dd>The header {@link io.redrive.events.DeadLetter#REDACTED_HEADER} of an event whose payload or headers were replaced. Redrives
 *       leave marked letters out, because a handler cannot handle the replacement.
 *   <dt>secret</dt>
 *   <dd>A value that a pointer or header rule replaced; error texts about the same event lose the secret too.
 * </dl>
 *
 * <p>Code that stores parts of events calls one function: {@link io.redrive.events.redaction.Redaction#event} for a copy that no handler
 * ever receives (samples of payloads: always), or {@code redaction.forStorage().event(event)} for records whose mode is the user's
 * choice (letters, journal). {@link io.redrive.events.redaction.Redaction#text(String, io.redrive.events.Event)} does the same for an
 * error text. Code that compares stored copies with raw events applies the same redaction to the raw events first, else every redacted
 * field differs. An event that waits in the store is never redacted.
 */
@NullMarked
package io.redrive.events.redaction;

import org.jspecify.annotations.NullMarked;
