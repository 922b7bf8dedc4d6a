package io.redrive.kafka;

import io.redrive.events.EventStore;
import io.redrive.events.LogPlace;
import io.redrive.jdbc.PostgresStore;
import io.redrive.jdbc.SqliteStore;
import io.redrive.pipeline.Outcome;
import io.redrive.pipeline.Pipeline;
import io.redrive.pipeline.Profile;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A process of a group that tests kill. Arguments: bootstrap servers, topic, group, folder, and for PostgreSQL the address of the
 * database and the schema; without an address the store is a SQLite file in the folder. Each handled record becomes an entry of {@code
 * handled.txt}, and above PostgreSQL a row of the table {@code bills} in the transaction that settles the record; a record {@code poison} ends the process; a record {@code later} is retried as a row of the store. Above PostgreSQL
 * records are ordered by key.
 */
final class FlowProcess {

    private FlowProcess() {}

    /** Returns the command of a process for the topic and the group of a rig. */
    static ProcessBuilder builder(FlowRig rig, Path folder, String... database) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                FlowProcess.class.getName(),
                rig.broker.bootstrap(),
                rig.topic,
                rig.group,
                folder.toString()));
        command.addAll(List.of(database));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("process.log").toFile()));
    }

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[3]);
        HandledLedger handled = new HandledLedger(folder.resolve("handled.txt"));
        boolean isShared = arguments.length > 4;
        EventStore store =
                isShared ? TestDatabase.open(arguments[4], arguments[5]) : SqliteStore.open(folder.resolve("store.db"));
        KafkaFlow.Builder builder = KafkaFlow.on(store)
                .bootstrap(arguments[0])
                .topics(arguments[1])
                .group(arguments[2])
                .mapping(RecordMapping.named("order.paid"))
                .client("session.timeout.ms", 3000)
                .client("heartbeat.interval.ms", 500);
        KafkaFlow flow = (isShared ? builder.orderedByKey() : builder).open();
        Pipeline.on(flow)
                .profile(Profile.STANDARD.withLease(Duration.ofSeconds(2)))
                .policies(FlowRig.retryAfter(Duration.ofMillis(2_500)))
                .handle("order.paid", (event, context) -> {
                    Outcome outcome = handle(event.text(), context.attempt(), handled);
                    if (store instanceof PostgresStore database && !event.text().startsWith("bad")) {
                        bill(database, flow.placeOf(event, context), event.text());
                    }
                    return outcome;
                })
                .start();
        System.in.read();
    }

    private static void bill(PostgresStore store, LogPlace place, String text) throws SQLException {
        try (Connection connection = store.source().getConnection()) {
            connection.setAutoCommit(false);
            if (store.places().settle(connection, place)) {
                try (PreparedStatement insert = connection.prepareStatement("INSERT INTO bills (text) VALUES (?)")) {
                    insert.setString(1, text);
                    insert.executeUpdate();
                }
            }
            connection.commit();
        }
    }

    private static Outcome handle(String text, int attempt, HandledLedger handled) throws IOException {
        if (text.equals("poison")) {
            Runtime.getRuntime().halt(9);
        }
        if (text.startsWith("later") && attempt == 1) {
            throw new IOException("not yet");
        }
        handled.add(text);
        return text.startsWith("bad") ? Outcome.dead("bad record") : Outcome.done();
    }
}
