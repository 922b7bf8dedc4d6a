package io.redrive.spring;

import io.redrive.pipeline.Pipeline;

/** A bean that changes the pipeline before it is built: handlers in code, validators, listeners. */
@FunctionalInterface
public interface PipelineCustomizer {

    /** Changes {@code pipeline}. */
    void customize(Pipeline.Builder pipeline);
}
