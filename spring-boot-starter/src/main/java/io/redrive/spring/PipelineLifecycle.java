package io.redrive.spring;

import io.redrive.pipeline.Pipeline;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.springframework.context.SmartLifecycle;

/**
 * Starts the pipeline after all beans that a handler may need, and stops the pipeline before these beans. At a stop,
 * handlers get time to finish, unfinished events go back to the store, and publishing stays possible until the store closes.
 */
final class PipelineLifecycle implements SmartLifecycle {

    private enum State {
        NEW,
        RUNNING,
        STOPPED
    }

    private final Pipeline pipeline;
    private final boolean autoStart;
    private final Duration stopLimit;
    private final AtomicReference<State> state = new AtomicReference<>(State.NEW);

    PipelineLifecycle(Pipeline pipeline, boolean autoStart, Duration stopLimit) {
        this.pipeline = pipeline;
        this.autoStart = autoStart;
        this.stopLimit = stopLimit;
    }

    @Override
    public void start() {
        pipeline.start();
        state.set(State.RUNNING);
    }

    @Override
    public void stop() {
        if (state.compareAndSet(State.RUNNING, State.STOPPED)) {
            pipeline.stop(stopLimit);
        }
    }

    @Override
    public boolean isRunning() {
        return state.get() == State.RUNNING;
    }

    @Override
    public boolean isAutoStartup() {
        return autoStart;
    }

    /** A stopped pipeline cannot be started again. */
    @Override
    public boolean isPauseable() {
        return false;
    }
}
