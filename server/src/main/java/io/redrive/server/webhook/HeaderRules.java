package io.redrive.server.webhook;

import io.redrive.core.SettingException;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Which headers a route may set: no header of the protocol, and nothing that could end a header line. */
final class HeaderRules {

    private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}");
    private static final int MOST_VALUE = 2_000;
    private static final Set<String> RESERVED = Set.of(
            "connection",
            "content-encoding",
            "content-length",
            "content-type",
            "cookie",
            "expect",
            "host",
            "keep-alive",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    private HeaderRules() {}

    /**
     * Checks the name of a header.
     *
     * @throws SettingException if the name is no token, or belongs to the protocol
     */
    static String requireName(String key, String name) {
        if (!NAME.matcher(name).matches()) {
            throw SettingException.of(key, "must be a header name of letters, digits and hyphens", name);
        }
        String lower = name.toLowerCase(Locale.ROOT);
        boolean reserved = RESERVED.contains(lower)
                || lower.startsWith("webhook-")
                || lower.startsWith("redrive-")
                || lower.startsWith("proxy-");
        if (reserved) {
            throw SettingException.of(key, "must not be a header that the server sets itself", name);
        }
        return name;
    }

    /**
     * Checks the value of a header.
     *
     * @throws SettingException if the value holds line ends or other characters that no header may hold
     */
    static String requireValue(String key, String value) {
        if (!isValue(value)) {
            throw SettingException.of(
                    key, "must be at most 2000 printable ASCII characters without line ends", "(hidden)");
        }
        return value;
    }

    /** Returns true for a text that may be sent as the value of a header. */
    static boolean isValue(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (value.charAt(i) < ' ' || value.charAt(i) > '~') {
                return false;
            }
        }
        return value.length() <= MOST_VALUE;
    }
}
