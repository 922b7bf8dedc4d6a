package io.redrive.events.cause;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The place of a cause in the list of causes, the one with the latest letter first. The place stays where it is when the cause gets
 * further letters, so a list that is read page by page shows no cause twice.
 *
 * @param lastSeen when the last letter of the cause died
 * @param fingerprint the cause; causes with the same time are in the order of their fingerprints
 */
public record CausePlace(Instant lastSeen, String fingerprint) implements Comparable<CausePlace> {

    /** The place before the first cause. */
    public static final CausePlace START = new CausePlace(Instant.parse("9999-12-31T00:00:00Z"), "");

    private static final Pattern TEXT = Pattern.compile("(\\d{1,18})_(.{1,200})");

    private static final Comparator<CausePlace> LATEST_FIRST =
            Comparator.comparing(CausePlace::lastSeen).reversed().thenComparing(CausePlace::fingerprint);

    /** Returns the place of a cause. */
    public static CausePlace of(Cause cause) {
        return new CausePlace(cause.lastSeen(), cause.fingerprint());
    }

    /**
     * Reads a place from {@link #text}.
     *
     * @throws IllegalArgumentException if the text is no place
     */
    public static CausePlace parse(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("it must be the cursor of an earlier page");
        }
        return new CausePlace(Instant.EPOCH.plus(Long.parseLong(parts.group(1)), ChronoUnit.MICROS), parts.group(2));
    }

    /** Returns the place as text: microseconds since 1970, and the fingerprint. */
    public String text() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, lastSeen) + "_" + fingerprint;
    }

    @Override
    public int compareTo(CausePlace other) {
        return LATEST_FIRST.compare(this, other);
    }
}
