package io.redrive.items;

import io.redrive.core.Failure;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What a worker says about a call: one outcome for each sample, or how the call failed for all of them, or neither when it
 * was interrupted from outside.
 */
record Handled(
        Lane lane,
        List<Sample> samples,
        List<Outcome<byte[]>> outcomes,
        Failure failure,
        Instant began,
        Duration took) {

    boolean isInterrupted() {
        return outcomes == null && failure == null;
    }

    Outcome<byte[]> outcome(int index) {
        return outcomes == null ? Outcome.failed(failure) : outcomes.get(index);
    }

    /** The longest time that a server asked for; zero when none did. */
    Duration askedToWait() {
        Duration longest = failure == null ? Duration.ZERO : failure.hint().orElse(Duration.ZERO);
        if (outcomes != null) {
            for (Outcome<byte[]> outcome : outcomes) {
                Duration hint = outcome instanceof Outcome.Failed<byte[]> failed
                        ? failed.failure().hint().orElse(Duration.ZERO)
                        : Duration.ZERO;
                longest = hint.compareTo(longest) > 0 ? hint : longest;
            }
        }
        return longest;
    }

    /** True when the call failed for several samples, and not each of them need be at fault. */
    boolean failedTogether() {
        return outcomes == null && samples.size() > 1;
    }
}
