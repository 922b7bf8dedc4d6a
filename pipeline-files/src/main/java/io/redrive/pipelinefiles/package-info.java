/**
 * Item pipelines written in YAML, with HTTP calls, commands and filters as stages. Samples are JSON. {@link
 * io.redrive.pipelinefiles.PipelineFile#read PipelineFile.read} turns a pipeline file into a {@link
 * io.redrive.pipelinefiles.PipelinePlan PipelinePlan}.
 *
 * <dl>
 *   <dt>pipeline file</dt>
 *   <dd>a YAML file with a list of stages and the settings of their pipeline. A mistake in the file is an
 *       {@link IllegalArgumentException} with file, line, key, rule and value, thrown before any stage runs
 *   <dt>section</dt>
 *   <dd>a mapping in the pipeline file, such as the keys of one stage
 *   <dt>pipeline plan</dt>
 *   <dd>the pipeline of a file, and the long-lived processes of the stages
 *   <dt>sample</dt>
 *   <dd>a JSON value on its way through the stages
 *   <dt>pointer</dt>
 *   <dd>a JSON pointer such as {@code /choices/0/text}, which names a place in a JSON value; the empty pointer names the whole value
 *   <dt>template</dt>
 *   <dd>text with placeholders such as <code>${/title}</code>, filled from a sample
 *   <dt>item</dt>
 *   <dd>the JSON value that a stage sends for a sample; the sample itself by default
 *   <dt>answer</dt>
 *   <dd>the JSON value or text that a service or a command returns; a <em>pick</em> copies one part of an answer into the sample
 *   <dt>command</dt>
 *   <dd>a program run by a stage: in mode {@code lines} a process lives as long as the run and answers each line with a line, in
 *       mode {@code once} each sample has a process
 *   <dt>input</dt>
 *   <dd>a file of samples: JSON lines, a JSON array or CSV, plain or packed with gzip or zstd; a <em>selection</em> takes a part of
 *       the samples
 *   <dt>stop signal</dt>
 *   <dd>tells stages that the run is being stopped, so that a child process killed by Ctrl-C is not a failure of the sample
 * </dl>
 */
@NullMarked
package io.redrive.pipelinefiles;

import org.jspecify.annotations.NullMarked;
