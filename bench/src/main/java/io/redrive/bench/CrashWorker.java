package io.redrive.bench;

import io.redrive.core.Backoff;
import io.redrive.core.RetryPolicy;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.StoreStats;
import io.redrive.jdbc.PostgresStore;
import io.redrive.jdbc.SqliteStore;
import io.redrive.pipeline.EventPolicies;
import io.redrive.pipeline.Pipeline;
import io.redrive.pipeline.PipelineListener;
import io.redrive.pipeline.Profile;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The process to kill: publishes and handles events on a store until killed; when told to drain, handles the remaining
 * events and exits. Writes each action to a {@link CrashLedger}, before or after the action, whichever exposes a lost event.
 */
final class CrashWorker {

    /** Of this many events, one always fails, and one fails at its first attempt in every process. */
    static final int ONE_IN = 20;

    private static final int BULK = 20;
    /** High limit for poison: kills come from outside, and an event may be under way in several kills by chance. */
    private static final Profile PROFILE =
            Profile.HIGH_THROUGHPUT.withLease(Duration.ofSeconds(1)).withPoisonAfter(100);

    private CrashWorker() {}

    /** Takes the database, the ledger, the number of this life, and "drain", "work", or "handle": publish no events. */
    public static void main(String[] args) throws Exception {
        QuietLog.now();
        int life = Integer.parseInt(args[2]);
        try (EventStore store = open(args[0]);
                CrashLedger ledger = CrashLedger.open(Path.of(args[1]))) {
            ledger.write("life", String.valueOf(life));
            try (Pipeline pipeline = pipeline(store, ledger)) {
                if (args[3].equals("drain")) {
                    drain(store);
                } else if (args[3].equals("handle")) {
                    TimeUnit.HOURS.sleep(1);
                } else {
                    publishUntilKilled(pipeline, ledger, life);
                }
            }
        }
    }

    /** Opens the store at {@code address}: a JDBC URL, or the path of a SQLite file. */
    static EventStore open(String address) {
        return address.startsWith("jdbc:") ? PostgresStore.open(address) : SqliteStore.open(Path.of(address));
    }

    /** The command to start a worker, whose output goes to a file beside the ledger. */
    static ProcessBuilder process(String address, Path ledger, int life, String task) {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CrashWorker.class.getName(),
                        address,
                        ledger.toString(),
                        String.valueOf(life),
                        task)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(new File(ledger + ".log")));
    }

    /** Whether the event is meant to become a dead letter. */
    static boolean diesAlways(String id) {
        return number(id) % ONE_IN == 7;
    }

    private static boolean failsFirst(String id) {
        return number(id) % ONE_IN == 3;
    }

    private static long number(String id) {
        return Long.parseLong(id.substring(id.indexOf('-') + 1));
    }

    private static Pipeline pipeline(EventStore store, CrashLedger ledger) {
        Set<String> failedHere = ConcurrentHashMap.newKeySet();
        RetryPolicy patient = RetryPolicy.builder()
                .maxAttempts(1_000)
                .backoff(Backoff.fixed(Duration.ofMillis(5)))
                .doNotRetryOn(IllegalArgumentException.class)
                .build();
        return Pipeline.on(store)
                .profile(PROFILE)
                .policies(EventPolicies.defaults().with("crash.*", patient))
                .listener(new PipelineListener() {
                    @Override
                    public void onDone(Done event) {
                        ledger.write("done", event.event().id());
                    }

                    @Override
                    public void onRetry(Retrying event) {
                        ledger.write("retry", event.event().id());
                    }

                    @Override
                    public void onDead(Dead event) {
                        ledger.write("dead", event.event().id());
                    }
                })
                .on("crash.*", event -> {
                    ledger.write("started", event.id());
                    if (diesAlways(event.id())) {
                        throw new IllegalArgumentException("meant to die");
                    }
                    if (failsFirst(event.id()) && failedHere.add(event.id())) {
                        throw new FlakyCall.TransientFailure();
                    }
                    ledger.write("handled", event.id());
                })
                .start();
    }

    private static void publishUntilKilled(Pipeline pipeline, CrashLedger ledger, int life) {
        for (long next = 0; ; next += BULK) {
            List<Event> events = new ArrayList<>();
            for (int i = 0; i < BULK; i++) {
                events.add(Event.named("crash.event")
                        .id(life + "-" + (next + i))
                        .source("crash")
                        .correlationId("crash")
                        .text("payload of " + (next + i))
                        .build());
            }
            pipeline.publish(events);
            // Only acknowledged events are written down, because only acknowledged events must not be lost.
            events.forEach(event -> ledger.write("published", event.id()));
        }
    }

    private static void drain(EventStore store) throws InterruptedException {
        StoreStats left = store.stats(Instant.now());
        while (left.ready() + left.delayed() + left.claimed() > 0) {
            TimeUnit.MILLISECONDS.sleep(50);
            left = store.stats(Instant.now());
        }
    }
}
