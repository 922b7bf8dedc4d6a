/**
 * The commands {@code redrive run} and {@code redrive runs …}: take the samples of a file through a pipeline, look at runs, bring
 * dead samples back.
 *
 * <dl>
 *   <dt>pipeline file</dt>
 *   <dd>a YAML file that describes the stages
 *   <dt>sample</dt>
 *   <dd>one JSON value of the input, with an <em>id</em> and an <em>ordinal</em>, its place in the input from 0
 *   <dt>selection</dt>
 *   <dd>the samples of the input that a run takes; all of them by default
 *   <dt>run</dt>
 *   <dd>one pass of the selected samples through the stages, kept in a run store under its id, so that the same command or
 *       {@code runs resume} continues it
 *   <dt>run files</dt>
 *   <dd>pipeline file, input and output of a run; the run remembers them
 *   <dt>dead sample</dt>
 *   <dd>a sample that a stage gave up, or that could not be read; to <em>reprocess</em> dead samples is to let them try their stage
 *       again
 *   <dt>report</dt>
 *   <dd>status, balance, errors and reliability of a run, as text, JSON or a page for a browser
 * </dl>
 */
@NullMarked
package io.redrive.cli.runs;

import org.jspecify.annotations.NullMarked;
