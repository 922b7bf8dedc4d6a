/**
 * Changes of retry policies before anybody makes them: pure functions, without a store.
 *
 * <dl>
 * <dt>draft</dt><dd>a change of the shared settings of one pattern that nobody has saved; {@link
 * io.redrive.operations.policy.PolicyDraft}</dd>
 * <dt>past event</dt><dd>an event whose handler failed, as letters and the journal remember it; {@link
 * io.redrive.operations.policy.PastEvent}</dd>
 * <dt>replay</dt><dd>the decisions of a policy about the failures of past events; {@link
 * io.redrive.operations.policy.PolicyReplay}</dd>
 * <dt>saved event</dt><dd>a past event that was done after a failed attempt</dd>
 * <dt>origin</dt><dd>who set the policy of a pattern: nobody, the node, or an operator for all nodes; {@link
 * io.redrive.operations.policy.PolicyInForce}</dd>
 * </dl>
 */
@NullMarked
package io.redrive.operations.policy;

import org.jspecify.annotations.NullMarked;
