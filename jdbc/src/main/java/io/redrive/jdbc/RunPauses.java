package io.redrive.jdbc;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Until when servers asked that stages of a run not be called, in the time that counts for leases.
 *
 * @param until by the stage's name
 */
record RunPauses(Map<String, Instant> until) {

    /** As they are stored; null for none. */
    static RunPauses of(@Nullable String json) {
        Map<String, Instant> until = new HashMap<>();
        StringMapJson.read(json).forEach((stage, micros) -> until.put(stage, Micros.toInstant(Long.parseLong(micros))));
        return new RunPauses(until);
    }

    /** Those that are not over, and these, which are in the caller's time. */
    RunPauses with(Map<String, Instant> more, Duration skew, Instant now) {
        Map<String, Instant> all = new HashMap<>(until);
        all.values().removeIf(end -> !end.isAfter(now.plus(skew)));
        more.forEach(
                (stage, end) -> all.merge(stage, end.plus(skew), (one, other) -> one.isAfter(other) ? one : other));
        return new RunPauses(all);
    }

    /** How much longer each lasts. */
    Map<String, Duration> left(Instant now) {
        Map<String, Duration> left = new HashMap<>();
        until.forEach((stage, end) -> {
            if (end.isAfter(now)) {
                left.put(stage, Duration.between(now, end));
            }
        });
        return left;
    }

    /** As they are stored. */
    @Nullable
    String json() {
        Map<String, String> micros = new HashMap<>();
        until.forEach((stage, end) -> micros.put(stage, Long.toString(Micros.of(end))));
        return StringMapJson.write(micros);
    }
}
