package io.redrive.pipelinefiles;

import io.redrive.core.Time;
import java.util.Map;

/**
 * The environment, clock and stop signal that stages take from the process of the run.
 *
 * @param variables the environment variables, for placeholders and for the {@code RETRY_*} settings
 * @param time the clock
 * @param stop tells stages that the run is being stopped
 */
public record RunContext(Map<String, String> variables, Time time, StopSignal stop) {}
