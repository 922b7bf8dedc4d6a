package io.redrive.server.command;

import io.redrive.server.ServerStart;
import io.redrive.server.config.ServerConfiguration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextClosedEvent;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs a server until the process is told to stop. */
@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        description = {
            "Run Redrive as a server: events in over HTTP, operators' commands, health and metrics.",
            "Keeps events in redrive.db in the current folder unless told otherwise, and listens on 127.0.0.1:8080."
        })
public final class ServeCommand implements Callable<Integer> {

    private final Map<String, String> variables;

    @Mixin
    private ConfigOption config = new ConfigOption();

    @Option(
            names = "--store",
            paramLabel = "STORE",
            description =
                    "The store: a file, or a JDBC URL of PostgreSQL. REDRIVE_STORE in the environment, or store.path and"
                            + " store.url in the configuration, when not given.")
    private @Nullable String store;

    @Option(names = "--port", paramLabel = "PORT", description = "The port to listen on; 0 for any free port.")
    private @Nullable String port;

    @Option(
            names = "--address",
            paramLabel = "ADDRESS",
            description =
                    "The address to listen on. An address that other machines reach needs auth in the configuration.")
    private @Nullable String address;

    /** Runs with these environment variables. */
    public ServeCommand(Map<String, String> variables) {
        this.variables = variables;
    }

    @Override
    public Integer call() throws InterruptedException {
        ConfigurableApplicationContext server = ServerStart.run(configuration(), config.file(variables));
        CountDownLatch closed = new CountDownLatch(1);
        server.addApplicationListener(event -> {
            if (event instanceof ContextClosedEvent) {
                closed.countDown();
            }
        });
        closed.await();
        return 0;
    }

    private ServerConfiguration configuration() {
        ServerConfiguration read = config.read(variables);
        ServerConfiguration onStore = store == null ? read : read.withStore(store);
        ServerConfiguration onPort = port == null ? onStore : onStore.with("redrive.http.port", port);
        return address == null ? onPort : onPort.with("redrive.http.address", address);
    }
}
