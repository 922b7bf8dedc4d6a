package io.redrive.cli;

import io.redrive.core.ManualTime;
import io.redrive.core.Time;
import io.redrive.pipeline.Pipeline;
import java.time.Duration;
import java.time.Instant;

/** A clock whose waits let a pipeline take its steps. */
record SteppingTime(ManualTime time, Pipeline pipeline) implements Time {

    @Override
    public Instant now() {
        return time.now();
    }

    @Override
    public long nanos() {
        return time.nanos();
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        pipeline.drain();
        time.sleep(duration);
        pipeline.drain();
    }

    @Override
    public Scheduled schedule(Duration delay, Runnable task) {
        return time.schedule(delay, task);
    }
}
