package io.redrive.server.command;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.redrive.core.Time;
import io.redrive.events.EventStore;
import io.redrive.events.redaction.Redaction;
import io.redrive.items.store.RunStore;
import io.redrive.jdbc.PostgresOptions;
import io.redrive.jdbc.PostgresRunStore;
import io.redrive.jdbc.PostgresStore;
import io.redrive.jdbc.SqliteOptions;
import io.redrive.jdbc.SqliteRunStore;
import io.redrive.jdbc.SqliteStore;
import io.redrive.operations.Operations;
import io.redrive.operations.Operator;
import io.redrive.operations.Role;
import io.redrive.pipeline.EventPolicies;
import io.redrive.server.config.ServerConfiguration;
import io.redrive.server.mcp.AssistantServer;
import io.redrive.spring.RedriveProperties;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Serves an assistant on standard input and output until the assistant closes them. */
@Command(
        name = "mcp",
        mixinStandardHelpOptions = true,
        description = {
            "Serve an assistant (a program with a language model) over standard input and output, with the Model Context Protocol.",
            "The assistant reads the store and makes proposals; redrive proposals approve carries a proposal out. A running server"
                    + " serves assistants at /mcp as well."
        })
public final class McpCommand implements Callable<Integer> {

    private static final Duration JOURNAL = Duration.ofHours(24);

    private final Map<String, String> variables;

    @Mixin
    private ConfigOption config = new ConfigOption();

    @Option(
            names = "--store",
            paramLabel = "STORE",
            description =
                    "The store: a file, or a JDBC URL of PostgreSQL. REDRIVE_STORE in the environment, or store.path and"
                            + " store.url in the configuration, when not given. The configuration also has the redaction and the alert thresholds.")
    private @Nullable String store;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            defaultValue = "assistant",
            description =
                    "The name of the assistant in proposals and in the record of actions; assistant when not given.")
    private String name = "assistant";

    /** Runs with these environment variables. */
    public McpCommand(Map<String, String> variables) {
        this.variables = variables;
    }

    @Override
    public Integer call() throws Exception {
        // Whatever a library prints must not mix with the answers.
        System.setOut(new PrintStream(new FileOutputStream(FileDescriptor.err), true));
        ((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).setLevel(Level.WARN);
        ServerConfiguration read = config.read(variables);
        RedriveProperties properties =
                (store == null ? read : read.withStore(store)).check().redrive();
        Redaction redaction = Redaction.of(
                properties.redaction().rules(), properties.redaction().mode());
        CountDownLatch closed = new CountDownLatch(1);
        AssistantServer assistants = new AssistantServer(EventPolicies::defaults, Time.system()::now);
        try (EventStore events = open(properties.store());
                RunStore runs = openRuns(properties.store());
                AutoCloseable served = assistants.serve(
                        new ToTheEnd(System.in, closed),
                        new FileOutputStream(FileDescriptor.out),
                        Operations.of(events, operator())
                                .withRuns(runs)
                                .showing(redaction)
                                .withAlerts(properties.alerts().toThresholds()))) {
            closed.await();
        }
        return 0;
    }

    private Operator operator() throws IOException {
        return new Operator(
                name,
                Role.ASSISTANT,
                "redrive mcp, " + System.getProperty("user.name") + "@"
                        + InetAddress.getLocalHost().getHostName());
    }

    private static EventStore open(RedriveProperties.StoreSettings settings) {
        Duration journal = settings.journal().isZero() ? JOURNAL : settings.journal();
        String url = settings.url();
        if (url != null) {
            return PostgresStore.open(
                    url, PostgresOptions.DEFAULT.withSchema(settings.schema()).withJournal(journal));
        }
        if (!Files.exists(settings.path())) {
            throw new IllegalArgumentException("--store must name a store that exists, got " + settings.path());
        }
        return SqliteStore.open(settings.path(), SqliteOptions.DEFAULT.withJournal(journal));
    }

    private static RunStore openRuns(RedriveProperties.StoreSettings settings) {
        String url = settings.url();
        return url == null
                ? SqliteRunStore.open(settings.path())
                : PostgresRunStore.open(url, PostgresOptions.DEFAULT.withSchema(settings.schema()));
    }

    /** Tells when the other side closed its output. */
    private static final class ToTheEnd extends FilterInputStream {

        private final CountDownLatch closed;

        ToTheEnd(InputStream in, CountDownLatch closed) {
            super(in);
            this.closed = closed;
        }

        @Override
        public int read() throws IOException {
            return told(super.read());
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            return told(super.read(bytes, offset, length));
        }

        private int told(int read) {
            if (read < 0) {
                closed.countDown();
            }
            return read;
        }
    }
}
