package io.redrive.server.config;

import io.redrive.jdbc.ConnectionSecrets;
import java.util.Locale;
import java.util.regex.Pattern;

/** Knows the settings whose values must not be shown. */
final class SecretKeys {

    static final String HIDDEN = "***";

    private static final Pattern SECRET =
            Pattern.compile(".*(password|secret|token|private-?key|credential)s?(\\[.*)?");

    private SecretKeys() {}

    /** Returns true when the value of this setting must not be shown. A new kind of secret is hidden by its last word. */
    static boolean isSecret(String key) {
        String last = key.substring(key.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
        return SECRET.matcher(last).matches();
    }

    /** Returns the value as it may be shown; passwords within URLs are hidden too. */
    static String shown(String key, String value) {
        return isSecret(key) ? HIDDEN : ConnectionSecrets.hidden(value);
    }
}
