package io.redrive.kafka;

import io.redrive.jdbc.SqliteStore;
import io.redrive.pipeline.Outcome;
import io.redrive.pipeline.Pipeline;
import io.redrive.pipeline.Profile;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A process of a group, above a SQLite file, that tests kill. Arguments: bootstrap servers, topic, group, folder. Each handled record
 * becomes an entry of {@code handled.txt}; a record {@code poison} ends the process.
 */
final class FlowProcess {

    private FlowProcess() {}

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[3]);
        HandledLedger handled = new HandledLedger(folder.resolve("handled.txt"));
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
                .profile(Profile.STANDARD.withLease(Duration.ofSeconds(2)))
                .handle("order.paid", event -> handle(event.text(), handled))
                .start();
        System.in.read();
    }

    private static Outcome handle(String text, HandledLedger handled) {
        if (text.equals("poison")) {
            Runtime.getRuntime().halt(9);
        }
        handled.add(text);
        return text.startsWith("bad") ? Outcome.dead("bad record") : Outcome.done();
    }
}
