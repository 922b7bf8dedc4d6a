/**
 * The port {@link io.redrive.items.store.RunStore}, the records that a store keeps about runs, and a store in memory.
 *
 * <dl>
 *   <dt>run</dt>
 *   <dd>One pass of the samples of a source through the stages of a pipeline, by one or more processes. A run that stopped
 *       early is resumed under the same id.
 *   <dt>process</dt>
 *   <dd>A participant in a run. A process joins the run, receives a <em>lease</em>, and extends the lease while it works. A
 *       process whose lease has expired counts as dead.
 *   <dt>token</dt>
 *   <dd>The number of a lease, higher than all numbers before. A token is <em>stale</em> once its lease has ended; a store
 *       ignores requests with a stale token.
 *   <dt>ordinal</dt>
 *   <dd>The position of a sample in the source, from 0, and its identity within the run.
 *   <dt>claim</dt>
 *   <dd>The reservation of a sample for one process. The death of the process frees its claims.
 *   <dt>end</dt>
 *   <dd>The final state of a sample: <em>succeeded</em> in all stages, <em>skipped</em> by a stage, or <em>dead</em> after its
 *       last allowed attempt failed. Without an end, a sample is <em>pending</em>.
 *   <dt>commit</dt>
 *   <dd>The changes that a process made to a run since its previous commit, stored in one transaction.
 *   <dt>audit trail</dt>
 *   <dd>One record per attempt of a sample at a stage. A run can be configured without audit trail.
 *   <dt>pause</dt>
 *   <dd>A time during which no process calls a stage, because a server asked for time.
 *   <dt>reprocess</dt>
 *   <dd>To make a dead sample pending again, at the stage where it died and with no attempt spent.
 * </dl>
 */
@NullMarked
package io.redrive.items.store;

import org.jspecify.annotations.NullMarked;
