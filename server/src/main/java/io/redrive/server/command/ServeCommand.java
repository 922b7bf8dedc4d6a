package io.redrive.server.command;

import io.redrive.server.ServerStart;
import io.redrive.server.config.ServerConfiguration;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs a server until the process is told to stop. */
@Command(
        name = "serve",
        mixinStandardHelpOptions = true,
        description = {
            "Run Redrive as a server: events in over HTTP, operators' commands, health and metrics.",
            "Keeps events in redrive.db in the current folder unless told otherwise, and listens on 127.0.0.1:8080."
        })
public final class ServeCommand implements Callable<Integer> {

    private static final Logger LOG = System.getLogger(ServeCommand.class.getPackageName());

    /** Hexadecimal digits, hence 80 random bits. */
    private static final int PASSWORD_LENGTH = 20;

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

    @Option(
            names = "--admin",
            description =
                    "Make a user admin with a new password until the server stops, and print the password: to try the"
                            + " console without writing a configuration.")
    private boolean admin;

    @Option(
            names = "--stop-with-input",
            description =
                    "Stop when standard input ends: for a program that starts a server and must not leave the server behind.")
    private boolean stopWithInput;

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by the parser before the command runs.
    private CommandSpec spec;

    /** Runs with these environment variables. */
    public ServeCommand(Map<String, String> variables) {
        this.variables = variables;
    }

    @Override
    public Integer call() throws InterruptedException {
        String password = UUID.randomUUID().toString().replace("-", "").substring(0, PASSWORD_LENGTH);
        ServerConfiguration configuration = admin ? withAdmin(password) : configuration();
        ConfigurableApplicationContext server = ServerStart.run(configuration, config.file(variables));
        announce(ServerStart.url(server), password);
        CountDownLatch closed = new CountDownLatch(1);
        server.addApplicationListener(event -> {
            if (event instanceof ContextClosedEvent) {
                closed.countDown();
            }
        });
        if (stopWithInput) {
            stopAtEnd(System.in, server);
        }
        closed.await();
        return 0;
    }

    /** The input of a child process ends with its parent, however the parent ends. */
    private static void stopAtEnd(InputStream input, ConfigurableApplicationContext server) {
        Thread watch = new Thread(
                () -> {
                    try {
                        input.transferTo(OutputStream.nullOutputStream());
                    } catch (IOException e) {
                        LOG.log(Level.WARNING, "standard input cannot be read, the server stops", e);
                    }
                    server.close();
                },
                "redrive-input");
        watch.setDaemon(true);
        watch.start();
    }

    /** Printed and not logged, because a log keeps passwords. */
    private void announce(String url, String password) {
        PrintWriter out = spec.commandLine().getOut();
        out.println("redrive listens on " + url + (admin ? "; user admin, password " + password : ""));
        out.flush();
    }

    private ServerConfiguration withAdmin(String password) {
        return configuration()
                .with("redrive.auth.users.admin.role", "admin")
                .with("redrive.auth.users.admin.password", new BCryptPasswordEncoder().encode(password));
    }

    private ServerConfiguration configuration() {
        ServerConfiguration read = config.read(variables);
        ServerConfiguration onStore = store == null ? read : read.withStore(store);
        ServerConfiguration onPort = port == null ? onStore : onStore.with("redrive.http.port", port);
        return address == null ? onPort : onPort.with("redrive.http.address", address);
    }
}
