/** From a pipeline file to a pipeline: HTTP calls, commands and filters as stages, over samples that are JSON. */
package io.redrive.pipelinefiles;
