package io.redrive.cli;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.JdbcStores;
import io.redrive.cli.remote.RemoteOperations;
import io.redrive.cli.terminal.NoTerminal;
import io.redrive.core.ManualTime;
import io.redrive.core.Time;
import io.redrive.events.EventStore;
import io.redrive.operations.Operations;
import io.redrive.operations.Operator;
import io.redrive.operations.Role;
import io.redrive.server.ServerStart;
import io.redrive.server.config.ConfigFile;
import io.redrive.server.config.ServerConfiguration;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.context.ConfigurableApplicationContext;

/** A real server on a free port of loopback, and commands that ask the server. */
final class CliServer implements AutoCloseable {

    private final ConfigurableApplicationContext server;
    private final Map<String, String> tokens = new HashMap<>();

    private CliServer(ConfigurableApplicationContext server) {
        this.server = server;
    }

    /** Starts a server on this store, which wants a token from each caller. */
    static CliServer start(Path folder, Path store) throws IOException {
        // The class path has two loggers: that of the server and the silent one of the command line.
        System.setProperty("org.springframework.boot.logging.LoggingSystem", "none");
        Path file = Files.writeString(folder.resolve("redrive.yml"), """
                auth:
                  required: true
                store:
                  journal: 24h
                """);
        ServerConfiguration configuration = ServerConfiguration.of(ConfigFile.read(file), Map.of())
                .withStore(store.toString())
                .with("redrive.http.port", "0");
        return new CliServer(ServerStart.run(configuration, Optional.of(file)));
    }

    String url() {
        return ServerStart.url(server);
    }

    /** Returns the token of an operator with this role. */
    String token(Role role) {
        return tokens.computeIfAbsent(
                role.code(),
                code -> Operations.of(
                                server.getBean(EventStore.class), Operator.named("root", Role.ADMIN), Time.system())
                        .tokens()
                        .create("ann", role, List.of(), Optional.empty())
                        .text());
    }

    /** Runs a command with the environment alone, at a fixed time. */
    static Ran run(Map<String, String> environment, Instant now, String input, String... args) {
        Context context = new Context(
                        new ManualTime(now),
                        new JdbcStores(),
                        new NoTerminal(),
                        new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                        environment)
                .with(RemoteOperations::new);
        return Ran.redrive(context, args);
    }

    Ran run(Role role, Instant now, String input, String... args) {
        return run(Map.of("REDRIVE_SERVER", url(), "REDRIVE_TOKEN", token(role)), now, input, args);
    }

    @Override
    public void close() {
        server.close();
    }
}
