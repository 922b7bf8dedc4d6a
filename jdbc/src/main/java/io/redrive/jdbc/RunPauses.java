package io.redrive.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The ends of pauses which servers requested for stages of a run, on the clock of leases.
 *
 * @param until the end of the pause, by the stage's name
 */
record RunPauses(Map<String, Instant> until) {

    /** Reads the stored form; null means no pauses. */
    static RunPauses of(@Nullable String json) {
        Map<String, Instant> until = new HashMap<>();
        StringMapJson.read(json).forEach((stage, micros) -> until.put(stage, Micros.toInstant(Long.parseLong(micros))));
        return new RunPauses(until);
    }

    /** Removes pauses that are over, and adds pauses given on the caller's clock. */
    RunPauses with(Map<String, Instant> more, Duration skew, Instant now) {
        Map<String, Instant> all = new HashMap<>(until);
        all.values().removeIf(end -> !end.isAfter(now.plus(skew)));
        more.forEach(
                (stage, end) -> all.merge(stage, end.plus(skew), (one, other) -> one.isAfter(other) ? one : other));
        return new RunPauses(all);
    }

    /** The rest of each pause. */
    Map<String, Duration> left(Instant now) {
        Map<String, Duration> left = new HashMap<>();
        until.forEach((stage, end) -> {
            if (end.isAfter(now)) {
                left.put(stage, Duration.between(now, end));
            }
        });
        return left;
    }

    /** The stored form; null for no pauses. */
    @Nullable
    String json() {
        Map<String, String> micros = new HashMap<>();
        until.forEach((stage, end) -> micros.put(stage, Long.toString(Micros.of(end))));
        return StringMapJson.write(micros);
    }
}
