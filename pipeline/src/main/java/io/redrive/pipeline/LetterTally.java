package io.redrive.pipeline;

import io.redrive.events.DeadLetters;
import io.redrive.events.LetterFilter;
import io.redrive.events.cause.Cause;
import io.redrive.events.cause.CauseStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The numbers of a store's letters and causes that raise alerts.
 *
 * @param letters dead letters, without those of ignored causes
 * @param regressedCauses causes that came back after they were resolved
 */
record LetterTally(long letters, long regressedCauses) {

    static final LetterTally NONE = new LetterTally(0, 0);

    static LetterTally of(DeadLetters letters, Instant now) {
        List<String> ignored = new ArrayList<>();
        long regressed = 0;
        for (Cause cause : letters.causes().decided()) {
            CauseStatus status = cause.status(now);
            if (status == CauseStatus.IGNORED) {
                ignored.add(cause.fingerprint());
            } else if (status == CauseStatus.REGRESSED) {
                regressed++;
            }
        }
        long silent = letters.countByCause(ignored).values().stream()
                .mapToLong(Long::longValue)
                .sum();
        return new LetterTally(letters.count(LetterFilter.ALL) - silent, regressed);
    }
}
