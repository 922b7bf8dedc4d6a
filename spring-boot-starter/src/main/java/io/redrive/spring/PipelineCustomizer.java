package io.redrive.spring;

import io.redrive.pipeline.Pipeline;

/** A bean that adds handlers, validators or listeners to the pipeline before the pipeline is built. */
@FunctionalInterface
public interface PipelineCustomizer {

    /** Changes {@code pipeline}. */
    void customize(Pipeline.Builder pipeline);
}
