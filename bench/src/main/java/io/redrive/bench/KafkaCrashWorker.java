package io.redrive.bench;

import io.redrive.core.Backoff;
import io.redrive.core.RetryPolicy;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.jdbc.PostgresOptions;
import io.redrive.jdbc.PostgresStore;
import io.redrive.kafka.KafkaFlow;
import io.redrive.kafka.KafkaRecord;
import io.redrive.kafka.RecordMapping;
import io.redrive.pipeline.EventContext;
import io.redrive.pipeline.EventPolicies;
import io.redrive.pipeline.Pipeline;
import io.redrive.pipeline.PipelineListener;
import io.redrive.pipeline.Profile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A member of a consumer group above PostgreSQL, to be killed. Ends in good order when its standard input ends. Writes each action to a
 * {@link KafkaCrashLedger}: an action of the handler before the handler returns, so that a finished record has its entry.
 *
 * <p>The text of a record is {@code key/number}. By its number a record is handled at once, fails once with a short or a long wait,
 * or is meant to become a dead letter.
 */
final class KafkaCrashWorker {

    private static final int CYCLE = 100;
    private static final int DEAD_AT = 7;
    private static final int HELD_AT = 23;
    private static final int ROW_AT = 61;
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final Duration LONG = Duration.ofMillis(2_500);

    private KafkaCrashWorker() {}

    /**
     * What a process of a round needs.
     *
     * @param protocol the protocol of the group: classic or consumer
     * @param instance the id of a static member, or empty
     */
    record Settings(
            String bootstrap,
            String topic,
            String group,
            String database,
            String schema,
            String ledger,
            boolean isOrdered,
            String protocol,
            String instance) {

        static Settings parse(String[] args) {
            int at = 0;
            return new Settings(
                    args[at++],
                    args[at++],
                    args[at++],
                    args[at++],
                    args[at++],
                    args[at++],
                    Boolean.parseBoolean(args[at++]),
                    args[at++],
                    args.length > at ? args[at] : "");
        }

        /** Starts a worker, whose output goes to a file beside the ledger. */
        Process start() throws IOException {
            return new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx192m",
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            KafkaCrashWorker.class.getName(),
                            bootstrap,
                            topic,
                            group,
                            database,
                            schema,
                            ledger,
                            String.valueOf(isOrdered),
                            protocol,
                            instance)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(
                            Path.of(ledger + ".log").toFile()))
                    .start();
        }

        EventStore open() {
            return PostgresStore.open(
                    database, PostgresOptions.DEFAULT.withSchema(schema).withConnections(4));
        }
    }

    public static void main(String[] args) throws Exception {
        Settings settings = Settings.parse(args);
        try (EventStore store = settings.open();
                KafkaCrashLedger ledger = new KafkaCrashLedger(Path.of(settings.ledger()));
                KafkaFlow flow = flow(settings, store);
                Pipeline pipeline = pipeline(flow, ledger)) {
            ledger.write(KafkaCrashLedger.LIFE, String.valueOf(pipeline.hashCode()));
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }

    private static KafkaFlow flow(Settings settings, EventStore store) {
        KafkaFlow.Builder flow = KafkaFlow.on(store)
                .bootstrap(settings.bootstrap())
                .group(settings.group())
                .topics(settings.topic())
                .mapping(record -> RecordMapping.named(nameOf(record)).toEvent(record))
                .client("interceptor.classes", KafkaCrashCommits.class.getName())
                .client(KafkaCrashCommits.LEDGER, settings.ledger())
                .client("metadata.max.age.ms", 500);
        if (settings.isOrdered()) {
            flow.orderedByKey();
        }
        if (!settings.instance().isEmpty()) {
            flow.client("group.instance.id", settings.instance());
        }
        if (settings.protocol().equals("consumer")) {
            return flow.client("group.protocol", "consumer").open();
        }
        return flow.client("session.timeout.ms", CrashBroker.SESSION_MS)
                .client("heartbeat.interval.ms", 500)
                .open();
    }

    private static Pipeline pipeline(KafkaFlow flow, KafkaCrashLedger ledger) {
        // A high limit for poison: kills come from outside, and a record may be under way in several kills by chance.
        Profile profile = Profile.STANDARD
                .withLease(Duration.ofMillis(CrashBroker.SESSION_MS - 1_000))
                .withPoisonAfter(100);
        return Pipeline.on(flow)
                .profile(profile)
                .policies(EventPolicies.defaults().with("held.*", policy(SHORT)).with("*", policy(LONG)))
                .listener(new PipelineListener() {
                    @Override
                    public void onDone(Done event) {
                        ledger.write("settled", text(event.event()));
                    }

                    @Override
                    public void onRetry(Retrying event) {
                        ledger.write("retrying", text(event.event()));
                    }

                    @Override
                    public void onDead(Dead event) {
                        ledger.write("dead", text(event.event()));
                    }
                })
                .on("crash.record", (event, context) -> handle(event, context, ledger))
                .on("held.record", (event, context) -> handle(event, context, ledger))
                .start();
    }

    private static RetryPolicy policy(Duration wait) {
        return RetryPolicy.builder()
                .maxAttempts(1_000)
                .backoff(Backoff.fixed(wait))
                .doNotRetryOn(IllegalArgumentException.class)
                .build();
    }

    private static void handle(Event event, EventContext context, KafkaCrashLedger ledger) throws IOException {
        String text = text(event);
        ledger.write("began", text);
        if (diesAlways(text)) {
            ledger.write("doomed", text);
            throw new IllegalArgumentException("meant to die");
        }
        if (context.attempt() == 1 && fails(text)) {
            throw new IOException("meant to fail once");
        }
        ledger.write("handled", text);
    }

    private static boolean fails(String text) {
        int rest = number(text) % CYCLE;
        return rest == HELD_AT || rest == ROW_AT;
    }

    private static String nameOf(KafkaRecord record) {
        return number(text(record)) % CYCLE == HELD_AT ? "held.record" : "crash.record";
    }

    static String text(Event event) {
        return text(KafkaRecord.of(event).orElseThrow());
    }

    /** Returns the first line of the value. A tombstone, and a letter whose payload was left out, have the text in the key. */
    private static String text(KafkaRecord record) {
        byte[] bytes =
                record.value().filter(value -> value.length > 0).or(record::key).orElseThrow();
        int end = 0;
        while (end < bytes.length && bytes[end] != '\n') {
            end++;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8);
    }

    /** Whether the record is meant to become a dead letter. */
    static boolean diesAlways(String text) {
        return number(text) % CYCLE == DEAD_AT;
    }

    static int number(String text) {
        return Integer.parseInt(text.substring(text.indexOf('/') + 1));
    }

    static String key(String text) {
        return text.substring(0, text.indexOf('/'));
    }
}
