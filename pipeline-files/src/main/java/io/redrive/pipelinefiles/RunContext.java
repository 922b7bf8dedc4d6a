package io.redrive.pipelinefiles;

import io.redrive.core.Time;
import java.util.Map;

/**
 * What stages need from the process that runs them.
 *
 * @param variables the environment variables, for placeholders and for the {@code RETRY_*} settings
 * @param time the clock
 * @param stop tells stages that the run is being stopped
 */
public record RunContext(Map<String, String> variables, Time time, StopSignal stop) {}
