package io.redrive.console;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of the console.
 *
 * @param enabled false to leave the console out. Default: true.
 * @param path the mount path, {@code /} for the root of the application. Default: {@code /redrive}.
 */
@ConfigurationProperties("redrive.console")
public record ConsoleProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("/redrive") String path) {

    /**
     * Checks the path.
     *
     * @throws IllegalArgumentException when the path does not start with a slash, or has characters that an address would change
     */
    public ConsoleProperties {
        if (!path.matches("/|(/[A-Za-z0-9._~-]+)+/?")) {
            throw new IllegalArgumentException(
                    "redrive.console.path must be a path such as /redrive or /admin/redrive, got '" + path + "'");
        }
    }

    /** Returns the path without a slash at the end: empty for the root. */
    String prefix() {
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }
}
