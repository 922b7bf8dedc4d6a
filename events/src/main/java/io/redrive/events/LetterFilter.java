package io.redrive.events;

import io.redrive.core.Reason;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Selects dead letters; what is empty does not restrict. {@code LetterFilter.ALL.withName("ml.run.*")}.
 *
 * @param ids these letters only
 * @param name event name or pattern
 * @param reason why they were given up
 * @param errorType short type of the last failure
 * @param fingerprint the cause
 * @param since given up at or after
 * @param until given up before
 * @param text contained in the last error, the event's id or its correlation id, ignoring case
 * @param maxAutomaticRedrives automatically redriven fewer times than this
 */
public record LetterFilter(
        Set<Long> ids,
        Optional<NamePattern> name,
        Optional<Reason> reason,
        Optional<String> errorType,
        Optional<String> fingerprint,
        Optional<Instant> since,
        Optional<Instant> until,
        Optional<String> text,
        Optional<Integer> maxAutomaticRedrives) {

    /** Every letter. */
    public static final LetterFilter ALL = new LetterFilter(
            Set.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    /** Copies the ids. */
    public LetterFilter {
        ids = Set.copyOf(ids);
    }

    /** These letters. */
    public static LetterFilter ofIds(List<Long> ids) {
        return new LetterFilter(
                Set.copyOf(ids),
                ALL.name,
                ALL.reason,
                ALL.errorType,
                ALL.fingerprint,
                ALL.since,
                ALL.until,
                ALL.text,
                ALL.maxAutomaticRedrives);
    }

    /** Also restricted to this event name or pattern. */
    public LetterFilter withName(String pattern) {
        Optional<NamePattern> only = Optional.of(new NamePattern(pattern));
        return new LetterFilter(ids, only, reason, errorType, fingerprint, since, until, text, maxAutomaticRedrives);
    }

    /** Also restricted to this reason. */
    public LetterFilter withReason(Reason only) {
        return new LetterFilter(
                ids, name, Optional.of(only), errorType, fingerprint, since, until, text, maxAutomaticRedrives);
    }

    /** Also restricted to this error type. */
    public LetterFilter withErrorType(String only) {
        return new LetterFilter(
                ids, name, reason, Optional.of(only), fingerprint, since, until, text, maxAutomaticRedrives);
    }

    /** Also restricted to this cause. */
    public LetterFilter withFingerprint(String only) {
        return new LetterFilter(
                ids, name, reason, errorType, Optional.of(only), since, until, text, maxAutomaticRedrives);
    }

    /** Also restricted to letters given up in this span; null leaves that end open. */
    public LetterFilter withTime(Instant from, Instant before) {
        return new LetterFilter(
                ids,
                name,
                reason,
                errorType,
                fingerprint,
                Optional.ofNullable(from),
                Optional.ofNullable(before),
                text,
                maxAutomaticRedrives);
    }

    /** Also restricted to letters that contain this text. */
    public LetterFilter withText(String contained) {
        return new LetterFilter(
                ids, name, reason, errorType, fingerprint, since, until, Optional.of(contained), maxAutomaticRedrives);
    }

    /** Also restricted to letters automatically redriven fewer than {@code times} times. */
    public LetterFilter withFewerAutomaticRedrivesThan(int times) {
        return new LetterFilter(ids, name, reason, errorType, fingerprint, since, until, text, Optional.of(times));
    }

    /** True when {@code letter} is selected: what the filter means, for stores that look at each letter. */
    public boolean matches(DeadLetter letter) {
        return (ids.isEmpty() || ids.contains(letter.id()))
                && name.map(pattern -> pattern.matches(letter.event().name())).orElse(true)
                && reason.map(only -> only == letter.reason()).orElse(true)
                && errorType.map(only -> only.equals(letter.errorType())).orElse(true)
                && fingerprint.map(only -> only.equals(letter.fingerprint())).orElse(true)
                && since.map(from -> !letter.deadAt().isBefore(from)).orElse(true)
                && until.map(before -> letter.deadAt().isBefore(before)).orElse(true)
                && text.map(contained -> containsText(letter, contained)).orElse(true)
                && maxAutomaticRedrives
                        .map(limit -> letter.automaticRedrives() < limit)
                        .orElse(true);
    }

    private static boolean containsText(DeadLetter letter, String contained) {
        String wanted = contained.toLowerCase(java.util.Locale.ROOT);
        return letter.lastError().toLowerCase(java.util.Locale.ROOT).contains(wanted)
                || letter.event()
                        .idempotencyKey()
                        .toLowerCase(java.util.Locale.ROOT)
                        .contains(wanted);
    }
}
