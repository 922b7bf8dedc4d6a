package io.redrive.events;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Names the cause of a failure, so that a thousand letters of one outage form one group: a hash of the error type and
 * of the message without the parts that vary between events (numbers, ids, quoted values, addresses).
 *
 * <p>A fingerprint carries the version of the algorithm that made it: {@code v2-…} is version 2, a fingerprint without a prefix is version
 * 1. The results of a version never change, so that known causes keep their letters; another algorithm is another version.
 * {@link CauseGrouping} adds the parts of rules behind a dot.
 */
public final class Fingerprint {

    private static final Pattern QUOTED = Pattern.compile("'[^']*'|\"[^\"]*\"");
    private static final Pattern ID = Pattern.compile("\\b[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\\b");
    private static final Pattern WORD_WITH_DIGIT = Pattern.compile("[\\p{Alnum}_.:@/-]*\\d[\\p{Alnum}_.:@/-]*");
    private static final Pattern VERSION = Pattern.compile("v(\\d{1,4})-");
    private static final int HASH_BYTES = 6;
    /** Characters of a message that name its cause. */
    static final int MAX_MESSAGE = 2_000;

    private Fingerprint() {}

    /** Returns the version of the algorithm that made a fingerprint. */
    public static int versionOf(String fingerprint) {
        Matcher prefix = VERSION.matcher(fingerprint);
        return prefix.lookingAt() ? Integer.parseInt(prefix.group(1)) : 1;
    }

    /** Returns the fingerprint of a failure, version 1: twelve hexadecimal digits. */
    public static String of(String errorType, @Nullable String message) {
        String normal = errorType + "\n" + normalized(message == null ? "" : message);
        return HexFormat.of().formatHex(sha256(normal), 0, HASH_BYTES);
    }

    static String normalized(String message) {
        String text = Texts.cut(message, MAX_MESSAGE);
        text = QUOTED.matcher(text).replaceAll("'…'");
        text = ID.matcher(text).replaceAll("#");
        return WORD_WITH_DIGIT.matcher(text).replaceAll("#");
    }

    /** Returns a hash of a text: 64 hexadecimal digits. */
    static String hash(String text) {
        return HexFormat.of().formatHex(sha256(text));
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
