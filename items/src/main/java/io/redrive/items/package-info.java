/**
 * Samples through stages, every sample accounted for. {@link io.redrive.items.ItemPipeline} has the stages that each sample goes
 * through, {@code io.redrive.items.run.Run} takes samples through them, {@code io.redrive.items.store.RunStore} keeps the state
 * of runs, and {@code io.redrive.items.report.RunReport} describes a run to people.
 *
 * <dl>
 *   <dt>sample</dt>
 *   <dd>One piece of work, with an id and a <em>payload</em>: the bytes of its current value.
 *   <dt>source</dt>
 *   <dd>Where the samples of a run come from, in a fixed order. The place of a sample in the source is its <em>ordinal</em>.
 *   <dt>stage</dt>
 *   <dd>One step of a pipeline: a function from a value to the next one, with its policy and limits.
 *   <dt>pipeline</dt>
 *   <dd>The stages in order, the same for every sample.
 *   <dt>call</dt>
 *   <dd>One call of a stage's function, for one sample or for a <em>batch</em> of samples.
 *   <dt>attempt</dt>
 *   <dd>A call, as one sample of the call counts it. An attempt after a failed one is a <em>retry</em>.
 *   <dt>outcome</dt>
 *   <dd>How an attempt ended, as the stage says: a value, a <em>skip</em>, or a failure.
 *   <dt>end</dt>
 *   <dd>The final state of a sample: <em>succeeded</em> (through all stages), <em>skipped</em> (by a stage) or <em>dead</em> (no
 *       further attempt is allowed). A sample is <em>tried</em> once it has succeeded or died.
 *   <dt>result</dt>
 *   <dd>The value of a sample that succeeded.
 *   <dt>sink</dt>
 *   <dd>Where results go. Its <em>position</em> says how far it was written.
 *   <dt>run</dt>
 *   <dd>One pass of the samples of a source through a pipeline, by one or more <em>processes</em>. A run that stopped is
 *       <em>resumed</em> under the same id.
 *   <dt>window</dt>
 *   <dd>The most samples, and bytes of payloads, that a process holds in memory.
 *   <dt>lease</dt>
 *   <dd>The right of a process to work on a run, until the process leaves or is silent for too long.
 *   <dt>failure budget</dt>
 *   <dd>The share of tried samples that may die before the run stops.
 *   <dt>early stop</dt>
 *   <dd>The stop of a run in which the first calls of a stage all fail alike.
 *   <dt>listener</dt>
 *   <dd>User code that hears of attempts, ends of samples, and troubles.
 * </dl>
 */
@NullMarked
package io.redrive.items;

import org.jspecify.annotations.NullMarked;
