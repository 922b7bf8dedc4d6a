package io.redrive.events;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Finds text in payloads, which are bytes: compares the UTF-8 bytes of the text with the first {@link #MAX_BYTES}
 * bytes of the payload and ignores the case of a to z only. A payload with a zero byte among these bytes is binary
 * and is not searched. Text that a payload spells otherwise (compressed, UTF-16, JSON escapes such as {@code
 * \\u00e9}) is not found.
 */
public final class PayloadSearch {

    /** How many bytes of a payload are searched. */
    public static final int MAX_BYTES = 64 * 1024;

    private PayloadSearch() {}

    /** Returns true when {@code payload} contains the text of {@code needle}. */
    public static boolean contains(byte[] payload, String needle) {
        byte[] searched = payload.length > MAX_BYTES ? Arrays.copyOf(payload, MAX_BYTES) : payload;
        for (byte value : searched) {
            if (value == 0) {
                return false;
            }
        }
        return latin1(searched).contains(needle);
    }

    /**
     * Returns the text as {@link #contains} compares it: one character for each byte of its UTF-8 form, a to z in
     * lower case.
     */
    public static String needle(String text) {
        return latin1(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String latin1(byte[] bytes) {
        byte[] lower = bytes.clone();
        for (int i = 0; i < lower.length; i++) {
            if (lower[i] >= 'A' && lower[i] <= 'Z') {
                lower[i] += 'a' - 'A';
            }
        }
        return new String(lower, StandardCharsets.ISO_8859_1);
    }
}
