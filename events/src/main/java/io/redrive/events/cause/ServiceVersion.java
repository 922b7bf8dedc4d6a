package io.redrive.events.cause;

import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A version of a service, such as {@code 2.4.1} or {@code 2.5-SNAPSHOT}. Numbers compare as numbers, a missing number is zero, and
 * a version with a suffix such as {@code -rc1} comes before the same version without the suffix. What follows a plus sign does not
 * count.
 *
 * @param text the version as written
 */
public record ServiceVersion(String text) implements Comparable<ServiceVersion> {

    /** The longest version. */
    public static final int MAX_LENGTH = 64;

    private static final Pattern VALID =
            Pattern.compile("v?\\d+(\\.\\d+)*([-.][0-9A-Za-z][0-9A-Za-z.-]*)?(\\+[0-9A-Za-z.-]+)?");
    private static final Pattern NUMBERS = Pattern.compile("\\d+(\\.\\d+)*");
    private static final Pattern DIGITS = Pattern.compile("\\d+");

    /**
     * Checks the text.
     *
     * @throws IllegalArgumentException when the text does not begin with a number or is too long
     */
    public ServiceVersion {
        if (text.length() > MAX_LENGTH || !VALID.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "version must be numbers with dots and at most one suffix, such as 2.4.1 or"
                            + " 2.5-rc1, of at most " + MAX_LENGTH + " characters; got '"
                            + text.substring(0, Math.min(text.length(), MAX_LENGTH)) + "'");
        }
    }

    /** Returns the version, or empty when the text is no version. */
    public static Optional<ServiceVersion> parse(String text) {
        return text.length() <= MAX_LENGTH && VALID.matcher(text).matches()
                ? Optional.of(new ServiceVersion(text))
                : Optional.empty();
    }

    /** Returns true when this version is {@code other} or a newer one. */
    public boolean isAtLeast(ServiceVersion other) {
        return compareTo(other) >= 0;
    }

    /** Versions that compare as equal may differ in text: {@code 2.4} and {@code 2.4.0}. */
    @Override
    public int compareTo(ServiceVersion other) {
        List<String> mine = numbers();
        List<String> theirs = other.numbers();
        for (int i = 0; i < Math.max(mine.size(), theirs.size()); i++) {
            int by = new BigInteger(i < mine.size() ? mine.get(i) : "0")
                    .compareTo(new BigInteger(i < theirs.size() ? theirs.get(i) : "0"));
            if (by != 0) {
                return by;
            }
        }
        return compareSuffixes(suffix(), other.suffix());
    }

    private static int compareSuffixes(String one, String other) {
        if (one.isEmpty() || other.isEmpty()) {
            return Boolean.compare(one.isEmpty(), other.isEmpty());
        }
        String[] mine = one.split("[.-]");
        String[] theirs = other.split("[.-]");
        for (int i = 0; i < Math.min(mine.length, theirs.length); i++) {
            int by = comparePart(mine[i], theirs[i]);
            if (by != 0) {
                return by;
            }
        }
        return Integer.compare(mine.length, theirs.length);
    }

    private static int comparePart(String one, String other) {
        boolean number = DIGITS.matcher(one).matches();
        boolean otherNumber = DIGITS.matcher(other).matches();
        if (number && otherNumber) {
            return new BigInteger(one).compareTo(new BigInteger(other));
        }
        return number != otherNumber ? Boolean.compare(otherNumber, number) : one.compareTo(other);
    }

    private String plain() {
        String plain = text.startsWith("v") ? text.substring(1) : text;
        int build = plain.indexOf('+');
        return build < 0 ? plain : plain.substring(0, build);
    }

    private List<String> numbers() {
        var matcher = NUMBERS.matcher(plain());
        return matcher.lookingAt() ? List.of(matcher.group().split("\\.")) : List.of();
    }

    private String suffix() {
        String plain = plain();
        var matcher = NUMBERS.matcher(plain);
        return matcher.lookingAt()
                ? plain.substring(matcher.end()).replaceFirst("^[-.]", "").toLowerCase(Locale.ROOT)
                : "";
    }

    @Override
    public String toString() {
        return text;
    }
}
