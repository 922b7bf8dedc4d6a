/**
 * The commands {@code redrive causes …}: the causes of dead letters as a work list.
 *
 * <dl>
 *   <dt>cause</dt>
 *   <dd>dead letters with the same error, named by a <em>fingerprint</em>; owner, note and state outlive the letters
 *   <dt>status</dt>
 *   <dd>open, assigned, resolved, regressed (a letter came back after the fix) or ignored
 *   <dt>operator</dt>
 *   <dd>who changes a cause; each change is one row in the record of actions
 * </dl>
 */
@NullMarked
package io.redrive.cli.causes;

import org.jspecify.annotations.NullMarked;
