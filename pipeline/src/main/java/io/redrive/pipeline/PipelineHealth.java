package io.redrive.pipeline;

import java.time.Duration;

/**
 * Whether a pipeline moves events.
 *
 * @param state the state of the pipeline's thread
 * @param step the duration of the current step; zero between steps
 */
public record PipelineHealth(State state, Duration step) {

    /** The states of a pipeline's thread. */
    public enum State {
        /** Built and not started: stepped by hand, or started later. */
        NOT_STARTED,
        /** The loop steps. */
        RUNNING,
        /** A step takes longer than 30 seconds: a listener or the store does not return, and no event moves. */
        STUCK,
        /** The thread has ended without a stop of the pipeline. */
        ENDED,
        /** The pipeline was stopped. */
        STOPPED
    }

    /** False when the pipeline should move events and does not. */
    public boolean isHealthy() {
        return state != State.STUCK && state != State.ENDED;
    }
}
