package io.redrive.kafka;

import io.redrive.jdbc.SqliteStore;
import io.redrive.pipeline.Outcome;
import io.redrive.pipeline.Pipeline;
import io.redrive.pipeline.Profile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/**
 * A process of a group, above a SQLite file, that tests kill. Arguments: bootstrap servers, topic, group, folder. Each handled record
 * becomes a line of {@code handled.txt}; a record {@code poison} ends the process.
 */
final class FlowProcess {

    private FlowProcess() {}

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[3]);
        SqliteStore store = SqliteStore.open(folder.resolve("store.db"));
        KafkaFlow flow = KafkaFlow.on(store)
                .bootstrap(arguments[0])
                .topics(arguments[1])
                .group(arguments[2])
                .mapping(RecordMapping.named("order.paid"))
                .client("session.timeout.ms", 3000)
                .client("heartbeat.interval.ms", 500)
                .open();
        Pipeline.on(flow)
                .profile(Profile.STANDARD.withTimeLimit(Duration.ofSeconds(2)).withLease(Duration.ofSeconds(3)))
                .handle("order.paid", event -> handle(event.text(), folder.resolve("handled.txt")))
                .start();
        System.in.read();
    }

    private static Outcome handle(String text, Path handled) {
        if (text.equals("poison")) {
            Runtime.getRuntime().halt(9);
        }
        synchronized (FlowProcess.class) {
            try {
                Files.writeString(
                        handled,
                        text + "\n",
                        StandardCharsets.UTF_8,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return text.startsWith("bad") ? Outcome.dead("bad record") : Outcome.done();
    }
}
