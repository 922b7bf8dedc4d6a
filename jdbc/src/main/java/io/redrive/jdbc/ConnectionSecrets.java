package io.redrive.jdbc;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Hides the passwords of URLs in any text: in messages, in logs, and in hints of the command line. */
public final class ConnectionSecrets {

    private static final String HIDDEN = "***";

    /** A URL up to white space or a closing quote; a password may contain nearly any character. */
    private static final Pattern URL = Pattern.compile("(?:\\w+:)*\\w+://[^\\s\"']*|jdbc:\\w+:[^\\s\"']*");

    /**
     * {@code user:password@}, up to the last at-sign. Digits between a colon and a slash, question mark, comma or end
     * are a port.
     */
    private static final Pattern USER = Pattern.compile("(:/+[^:@/?]*):(?!\\d+(?:[/?,]|$)).*@");

    private static final Pattern PARAMETER = Pattern.compile("([?&;])([^=&;]*)=([^&;]*)");

    /**
     * Parameters of PostgreSQL's driver that are no secret. All further parameters are hidden: a new one may be a
     * secret.
     */
    private static final Set<String> OPEN = Set.of(
            "user",
            "ssl",
            "sslmode",
            "currentschema",
            "applicationname",
            "connecttimeout",
            "sockettimeout",
            "preparethreshold",
            "targetservertype");

    private ConnectionSecrets() {}

    /** Returns the text with {@code ***} in place of each password. */
    public static String hidden(String text) {
        return URL.matcher(text).replaceAll(url -> Matcher.quoteReplacement(inUrl(url.group())));
    }

    private static String inUrl(String url) {
        String open = USER.matcher(url).replaceFirst("$1:" + HIDDEN + "@");
        return PARAMETER
                .matcher(open)
                .replaceAll(parameter -> Matcher.quoteReplacement(parameter.group(1) + parameter.group(2) + "="
                        + (isOpen(parameter.group(2)) ? parameter.group(3) : HIDDEN)));
    }

    private static boolean isOpen(String parameter) {
        return OPEN.contains(parameter.toLowerCase(Locale.ROOT));
    }
}
