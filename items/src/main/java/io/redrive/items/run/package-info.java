/**
 * {@link io.redrive.items.run.Run}, and the engine behind it. ARCHITECTURE.md, <em>Inside items</em>, describes the loop. The
 * words of {@code io.redrive.items} and {@code io.redrive.items.store} apply, and these:
 *
 * <dl>
 *   <dt>coordinator</dt>
 *   <dd>Moves the samples of one process, under one lease, one <em>step</em> at a time. Its thread is the only one that changes
 *       a sample.
 *   <dt>lane</dt>
 *   <dd>The samples at one stage. A <em>ready</em> sample waits there for its call; a <em>released</em> call waits for a worker.
 *   <dt>worker</dt>
 *   <dd>A task that makes the released calls of one lane, and queues their results.
 *   <dt>hold, pause</dt>
 *   <dd>A lane is held while its workers may begin no call, because a server asked for a pause or the run halts.
 *   <dt>settle</dt>
 *   <dd>To turn the result of a call into the next stage, a retry or the end of each sample.
 *   <dt>waiting</dt>
 *   <dd>A sample whose retry is not due. It holds no worker.
 *   <dt>parked</dt>
 *   <dd>A sample that the next commit gives back to the store, for any process to claim.
 *   <dt>ledger, page</dt>
 *   <dd>The ledger has the changes that the store has not heard of; a page is the part of them that one commit writes.
 *   <dt>intake, recorder</dt>
 *   <dd>The intake reads the source, the recorder writes pages to sink and store; both beside the coordinator.
 *   <dt>mark, watched, suspect</dt>
 *   <dd>See {@code PoisonWatch}: how a sample that kills its process is found.
 *   <dt>beat, look</dt>
 *   <dd>A beat extends the lease; a look asks the store for samples to claim.
 *   <dt>halt</dt>
 *   <dd>Why a process leaves a run before its end.
 * </dl>
 */
@NullMarked
package io.redrive.items.run;

import org.jspecify.annotations.NullMarked;
