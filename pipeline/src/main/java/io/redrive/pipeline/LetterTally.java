package io.redrive.pipeline;

import io.redrive.events.DeadLetters;
import io.redrive.events.LetterFilter;
import io.redrive.events.cause.Cause;
import io.redrive.events.cause.CauseStatus;
import java.time.Instant;

/**
 * The numbers of a store's letters and causes that raise alerts.
 *
 * @param letters dead letters, without those of ignored causes
 * @param regressedCauses causes that came back after they were resolved
 */
record LetterTally(long letters, long regressedCauses) {

    static final LetterTally NONE = new LetterTally(0, 0);

    static LetterTally of(DeadLetters letters, Instant now) {
        long ignored = 0;
        long regressed = 0;
        for (Cause cause : letters.causes().decided()) {
            CauseStatus status = cause.status(now);
            if (status == CauseStatus.IGNORED) {
                ignored += letters.count(LetterFilter.ALL.withFingerprint(cause.fingerprint()));
            } else if (status == CauseStatus.REGRESSED) {
                regressed++;
            }
        }
        return new LetterTally(letters.count(LetterFilter.ALL) - ignored, regressed);
    }
}
