package io.redrive.console;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of the console.
 *
 * @param enabled false to leave the console out. Default: true.
 * @param path the mount path, {@code /} for the root of the application. Default: {@code /redrive}.
 * @param streams the most open streams of live updates of this process; further pages, or all pages with 0, ask every few seconds
 *     instead. Default: 100.
 */
@ConfigurationProperties("redrive.console")
public record ConsoleProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("/redrive") String path,
        @DefaultValue("100") int streams) {

    private static final int MOST_STREAMS = 10_000;

    /**
     * Checks the path and the number of streams.
     *
     * @throws IllegalArgumentException when the path does not start with a slash, or has characters that an address would change, or
     *     when the number of streams is negative or above 10,000
     */
    public ConsoleProperties {
        if (!path.matches("/|(/[A-Za-z0-9._~-]+)+/?")) {
            throw new IllegalArgumentException(
                    "redrive.console.path must be a path such as /redrive or /admin/redrive, got '" + path + "'");
        }
        if (streams < 0 || streams > MOST_STREAMS) {
            throw new IllegalArgumentException(
                    "redrive.console.streams must be 0 to " + MOST_STREAMS + ", got " + streams);
        }
    }

    /** Returns the path without a slash at the end: empty for the root. */
    String prefix() {
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }
}
