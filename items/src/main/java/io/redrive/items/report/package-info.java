/**
 * {@link io.redrive.items.report.RunReport}: the outcome of a run, as text, JSON and HTML. The terms are those of
 * {@link io.redrive.items.store}, and:
 *
 * <dl>
 *   <dt>balance</dt>
 *   <dd>The counts of a run by the ends of its samples, which add up to the samples of the source.
 *   <dt>pace</dt>
 *   <dd>The number of samples that ended in each interval of the run.
 *   <dt>reliability</dt>
 *   <dd>The share of the attempts at a stage that did not fail.
 *   <dt>cost</dt>
 *   <dd>The units, such as tokens, that the calls of a stage with a cost limit reported or were estimated to use.
 * </dl>
 */
@NullMarked
package io.redrive.items.report;

import org.jspecify.annotations.NullMarked;
