/**
 * The commands {@code redrive policy …}: look at retry policies without running anything.
 *
 * <dl>
 *   <dt>setting</dt>
 *   <dd>a key of a policy with its value as text, such as {@code max-attempts: 5}; core alone reads settings
 *   <dt>preset</dt>
 *   <dd>a named policy to start from
 *   <dt>schedule</dt>
 *   <dd>the waits of a policy, attempt by attempt, with the least and the most that jitter makes of each
 *   <dt>backoff kind</dt>
 *   <dd>the rule by which waits grow: none, fixed, linear, exponential or delays
 * </dl>
 */
@NullMarked
package io.redrive.cli.policy;

import org.jspecify.annotations.NullMarked;
