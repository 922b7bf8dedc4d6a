package io.redrive.cli.command;

import io.redrive.cli.terminal.Terminal;
import io.redrive.core.Time;
import io.redrive.operations.Operations;
import java.io.InputStream;
import java.net.URI;
import java.util.Map;

/**
 * What commands need from outside, besides the two writers of their output. Tests pass their own.
 *
 * @param time the clock
 * @param stores opens the store that {@code --store} names
 * @param servers gives the operations of the server that {@code --server} names
 * @param terminal the terminal that shows the output
 * @param in standard input
 * @param environment the environment variables
 */
public record Context(
        Time time,
        StoreOpener stores,
        ServerOpener servers,
        Terminal terminal,
        InputStream in,
        Map<String, String> environment) {

    /** Uses the environment of this process, and no servers. */
    public Context(Time time, StoreOpener stores, Terminal terminal, InputStream in) {
        this(time, stores, terminal, in, System.getenv());
    }

    /** Uses no servers. */
    public Context(Time time, StoreOpener stores, Terminal terminal, InputStream in, Map<String, String> environment) {
        this(time, stores, Context::noServer, terminal, in, environment);
    }

    private static Operations noServer(URI server, Credentials credentials, Time time) {
        throw new CommandFailed("servers cannot be asked here, got " + server);
    }

    /** Returns the same context with servers. */
    public Context with(ServerOpener opener) {
        return new Context(time, stores, opener, terminal, in, environment);
    }
}
