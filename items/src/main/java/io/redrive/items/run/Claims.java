package io.redrive.items.run;

import io.redrive.core.Backoff;
import io.redrive.items.store.Lease;
import io.redrive.items.store.RunStore;
import io.redrive.items.store.SampleRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Claims samples from the store, and says when to look for more. Used by the coordinator only. */
final class Claims {

    private static final int MOST = 512;
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);
    private static final Backoff PAUSES = Backoff.exponential(LONGEST_PAUSE.dividedBy(16), LONGEST_PAUSE);

    private final RunStore store;
    private final Lease lease;
    private long number;
    private int inVain;

    Claims(RunStore store, Lease lease) {
        this.store = store;
        this.lease = lease;
    }

    /** Claims up to {@code max} samples that are due at {@code due} or before. */
    List<Sample> claim(int max, Instant due) {
        List<Sample> samples = new ArrayList<>();
        for (SampleRecord claimed : store.claim(lease, number + 1, Math.min(max, MOST), due)) {
            samples.add(Sample.from(claimed));
        }
        number++;
        return samples;
    }

    /**
     * When to look again.
     *
     * @param found true when this look found samples
     * @param othersRead true when another process reads the source, and may leave samples at any time
     */
    Instant nextLook(boolean found, boolean othersRead, Instant now) {
        inVain = found ? 0 : inVain + 1;
        if (found) {
            return now;
        }
        return now.plus(othersRead ? PAUSES.delay(inVain) : LONGEST_PAUSE);
    }
}
