package io.redrive.pipeline;

import java.time.Duration;

/**
 * Whether a pipeline moves.
 *
 * @param state how its thread is
 * @param step how long the step under way takes up to now; zero between steps
 */
public record PipelineHealth(State state, Duration step) {

    /** How the thread of a pipeline is. */
    public enum State {
        /** Built and not started: it is stepped by hand, or will be started. */
        NOT_STARTED,
        /** It steps. */
        RUNNING,
        /** One step takes longer than 30 seconds: a listener or the store does not return, and nothing moves. */
        STUCK,
        /** The thread has ended although nobody stopped the pipeline. */
        ENDED,
        /** It was stopped. */
        STOPPED
    }

    /** False when the pipeline should move events and does not. */
    public boolean isHealthy() {
        return state != State.STUCK && state != State.ENDED;
    }
}
