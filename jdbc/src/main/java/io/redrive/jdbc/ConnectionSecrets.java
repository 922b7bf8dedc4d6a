package io.redrive.jdbc;

import java.util.regex.Pattern;

/**
 * Hides passwords in connection URLs before they are shown: in messages, logs, and hints of the command line. Works on a
 * URL of any kind and on texts that contain one, so a caller need not know what it was given.
 */
public final class ConnectionSecrets {

    private static final String HIDDEN = "***";

    /** {@code password=…} and its relatives, up to the next parameter. */
    private static final Pattern PARAMETER =
            Pattern.compile("(?i)\\b(\\w*(?:password|passwd|pwd|secret|token)\\w*=)[^&;\\s]+");

    /**
     * {@code //user:password@}, up to the last {@code @}: a password may contain anything. Digits after the colon that end
     * like a port are no password. One slash will do: a path of the file system swallows the other.
     */
    private static final Pattern USER = Pattern.compile("(/[^/\\s:@?]*):(?!\\d+(?:[/?,\\s]|$))\\S*@");

    private ConnectionSecrets() {}

    /** The same text with {@code ***} in place of each password. */
    public static String hidden(String text) {
        String withoutParameters = PARAMETER.matcher(text).replaceAll("$1" + HIDDEN);
        return USER.matcher(withoutParameters).replaceAll("$1:" + HIDDEN + "@");
    }
}
