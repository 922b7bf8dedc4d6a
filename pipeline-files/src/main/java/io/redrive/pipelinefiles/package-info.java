/**
 * Item pipelines written in YAML. {@link io.redrive.pipelinefiles.PipelineFile} reads a pipeline file and returns a
 * {@link io.redrive.pipelinefiles.PipelinePlan}, whose pipeline runs like a pipeline written in Java. Samples are JSON.
 *
 * <p>The terms of this package, in the order in which a file meets them:
 *
 * <dl>
 *   <dt>pipeline file</dt>
 *   <dd>A YAML file with settings of the pipeline and a list of stages.
 *   <dt>section</dt>
 *   <dd>A YAML mapping whose keys are read one by one. Keys that remain unread are refused.
 *   <dt>stage kind</dt>
 *   <dd>{@code http}, {@code command} or {@code filter}: an HTTP request, a child process or conditions for each sample.
 *   <dt>input</dt>
 *   <dd>The file that holds the samples of a run: JSON lines, one JSON array or CSV, plain or packed with gzip or zstd.
 *   <dt>selection</dt>
 *   <dd>The samples of an input that a run takes: a random share, up to a limit.
 *   <dt>pointer</dt>
 *   <dd>A JSON pointer (RFC 6901) to a part of a sample, an item or an answer, such as {@code /choices/0/text}. The empty
 *       pointer means the whole value.
 *   <dt>template</dt>
 *   <dd>Text with placeholders such as <code>${/title}</code>. A JSON template is JSON whose strings are templates.
 *   <dt>scope</dt>
 *   <dd>The sample and the sample context from which a template takes the values of its placeholders.
 *   <dt>item</dt>
 *   <dd>The JSON that a command or a batch request receives for one sample; the sample itself by default.
 *   <dt>batch</dt>
 *   <dd>Samples that share one call.
 *   <dt>answer</dt>
 *   <dd>The value that an HTTP service or a command returns for a sample or a batch.
 *   <dt>pick</dt>
 *   <dd>A part of the answer and the place in the sample where the stage puts that part.
 *   <dt>bad sample</dt>
 *   <dd>A sample that no attempt can handle, for example without a value that a template needs. Never retried.
 *   <dt>stop signal</dt>
 *   <dd>Raised when the run is being stopped, so that a child process killed by Ctrl-C is not a failure of its sample.
 * </dl>
 */
@NullMarked
package io.redrive.pipelinefiles;

import org.jspecify.annotations.NullMarked;
