package io.redrive.cli.command;

import io.redrive.cli.terminal.Terminal;
import io.redrive.core.Time;
import java.io.InputStream;
import java.util.Map;

/**
 * What commands need from outside, besides the two writers of their output. Tests pass their own.
 *
 * @param time the clock
 * @param stores opens the store that {@code --store} names
 * @param terminal the terminal that shows the output
 * @param in standard input
 * @param environment the environment variables
 */
public record Context(
        Time time, StoreOpener stores, Terminal terminal, InputStream in, Map<String, String> environment) {

    /** Uses the environment of this process. */
    public Context(Time time, StoreOpener stores, Terminal terminal, InputStream in) {
        this(time, stores, terminal, in, System.getenv());
    }
}
