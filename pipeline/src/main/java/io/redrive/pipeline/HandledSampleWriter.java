package io.redrive.pipeline;

import io.redrive.events.HandledSampleRecorder;
import io.redrive.events.HandledSamples;
import java.time.Duration;
import java.time.Instant;

/** Writes the handled events that this node chose, once a minute and at the stop, and removes events past their retention. */
final class HandledSampleWriter implements Chore {

    /** A store that failed is asked again after this time; the chosen events wait in the recorder. */
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(10);

    private static final Duration EXPIRY_EVERY = Duration.ofMinutes(1);
    /** While expired events are left. Each step removes few events. */
    private static final Duration EXPIRY_AGAIN = Duration.ofSeconds(1);

    private final HandledSampleRecorder recorder;
    private final HandledSamples samples;
    private final Duration retention;
    private Instant nextWrite = Instant.MIN;
    private Instant nextExpiry = Instant.MIN;

    HandledSampleWriter(HandledSampleRecorder recorder, HandledSamples samples, Duration retention) {
        this.recorder = recorder;
        this.samples = samples;
        this.retention = retention;
    }

    @Override
    public boolean work(Instant now) {
        if (recorder.isDue(now) && Chore.isDue(nextWrite, now, AFTER_FAILURE)) {
            // The next time is set before the call: a store that fails is not asked more often.
            nextWrite = now.plus(AFTER_FAILURE);
            recorder.write(samples, now);
        }
        if (Chore.isDue(nextExpiry, now, EXPIRY_EVERY)) {
            nextExpiry = now.plus(EXPIRY_EVERY);
            if (samples.expire(now.minus(retention)) > 0) {
                nextExpiry = now.plus(EXPIRY_AGAIN);
            }
        }
        return false;
    }

    @Override
    public void leave() {
        recorder.writeAll(samples);
    }
}
