package io.redrive.bench;

import io.redrive.core.AdaptiveLimit;
import io.redrive.events.EventStore;
import io.redrive.jdbc.SqliteStore;
import io.redrive.pipeline.Profile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Durable events on the embedded store: publish, handle, settle; beside a bare JDBC loop and the job queues of the field.
 */
final class EventsSuite implements Suite {

    private static final String RATE = EventLoad.RATE;
    private static final int MIB = 1024 * 1024;
    private static final int MILLION = 1_000_000;
    private static final int WRITERS = 4;
    private static final String CALLS = "calls/s";
    private static final int[] FIXED_LIMITS = {2, 4, 8, 12, 16, 24, 32, 64, 128};

    private final Cases cases = new Cases(name())
            .with("publish-bulk", this::publishBulk)
            .with("publish-bulk-tuned", this::publishBulkTuned)
            .with("drain", name -> drain(name, Profile.STANDARD))
            .with("drain-tuned", name -> drain(name, Profile.HIGH_THROUGHPUT))
            .with("publish-single-1", this::publishSingle)
            .with("publish-single-4", this::publishSingleOfFour)
            .with("idle-latency", this::idleLatency)
            .with("latency-25", name -> latency(name, 0.25))
            .with("latency-50", name -> latency(name, 0.5))
            .with("latency-75", name -> latency(name, 0.75))
            .with("fail-once", this::failOnce)
            .with("delayed-300k", name -> delayed(name, 300_000))
            .with("delayed-1m", name -> delayed(name, MILLION))
            .with("writers-4", this::writers)
            .with("adaptive-limit", this::adaptiveLimit)
            .with("open-new", this::openNew);

    private Path folder;
    private int files;
    private int scale;
    private int rounds;
    private double cycleRate;
    private double peerRate;

    @Override
    public String name() {
        return "events";
    }

    @Override
    public String about() {
        return "durable events on SQLite beside JobRunr, db-scheduler and a bare JDBC loop";
    }

    @Override
    public List<Options.Option> options() {
        return List.of(Options.Option.cases(cases.names()));
    }

    @Override
    public List<BenchResult> run(Options options, Consumer<String> progress) throws Exception {
        folder = Files.createTempDirectory("redrive-bench");
        QuietLog.now();
        try {
            scale = options.quick() ? 1 : 4;
            rounds = options.quick() ? 3 : 5;
            cycleRate = 0;
            peerRate = 0;
            progress.accept("warming up");
            load(load -> load.eventsPerSecond(20_000, 1, EventLoad.BULK));
            bare(20_000, EventLoad.BULK);
            return cases.run(options, progress);
        } finally {
            delete(folder);
        }
    }

    private int many() {
        return 30_000 * scale;
    }

    private int few() {
        return 1_000 * scale;
    }

    private void publishBulk(String name) throws Exception {
        Measured measured = Contest.of(RATE, () -> bulk(Profile.STANDARD))
                .limit(RATE, () -> bare(many(), EventLoad.BULK))
                .peer("db-scheduler", RATE, this::dbScheduler)
                .peer("JobRunr", RATE, () -> peer(peers -> peers.jobRunr(few(), JobPeers.Clock.FROM_FIRST_JOB)))
                .single(rounds);
        cycleRate = measured.ours();
        cases.judged(name, measured, Target.atLeastLimitTimes(0.8).and(Target.atLeastBestPeerTimes(20)));
    }

    private void publishBulkTuned(String name) throws Exception {
        cases.plain(
                name,
                Contest.of(RATE, () -> bulk(Profile.HIGH_THROUGHPUT))
                        .limit(RATE, () -> bare(many(), EventLoad.BULK))
                        .single(rounds));
    }

    private double bulk(Profile profile) throws Exception {
        return load(load -> load.with(profile).eventsPerSecond(many(), 1, EventLoad.BULK));
    }

    private double dbScheduler() throws Exception {
        return peer(peers -> peers.dbScheduler(few(), JobPeers.Clock.FROM_FIRST_JOB));
    }

    private void drain(String name, Profile profile) throws Exception {
        Measured measured = Contest.of(RATE, () -> drainPerSecond(profile))
                .limit(RATE, () -> BareLoop.drainPerSecond(newStore(), many(), EventLoad.BULK))
                .single(rounds);
        if (profile == Profile.STANDARD) {
            cases.judged(name, measured, Target.atLeastLimitTimes(0.8));
        } else {
            cases.plain(name, measured);
        }
    }

    private double drainPerSecond(Profile profile) throws Exception {
        try (EventStore store = SqliteStore.open(nextFile())) {
            return EventLoad.drainPerSecond(List.of(store), many(), profile);
        }
    }

    private void publishSingle(String name) throws Exception {
        cases.plain(
                name,
                Contest.of(RATE, () -> load(load -> load.eventsPerSecond(few(), 1, 1)))
                        .limit(RATE, () -> bare(few(), 1))
                        .single(rounds));
    }

    private void publishSingleOfFour(String name) throws Exception {
        cases.judged(
                name,
                Contest.of(RATE, () -> load(load -> load.eventsPerSecond(few() * 4, 4, 1)))
                        .limit(RATE, () -> bare(few(), 1))
                        .single(rounds),
                new Target("at least 5 x one commit per event", m -> m.ours() >= 5 * m.limit()));
    }

    private void idleLatency(String name) throws Exception {
        double[] millis = load(load -> {
            load.idleLatencies(200);
            return load.idleLatencies(500 * scale);
        });
        cases.plain(name, new Measured("p50 ms", EventLoad.percentile(millis, 0.5), Map.of(), null));
        cases.judged(
                name,
                new Measured(EventLoad.P99, EventLoad.percentile(millis, 0.99), Map.of(), null),
                Target.below(10));
    }

    /** Each contestant gets a share of its own rate, at which publisher and handlers keep up with each other. */
    private void latency(String name, double share) throws Exception {
        if (cycleRate == 0) {
            cycleRate = Contest.of(RATE, () -> bulk(Profile.STANDARD))
                    .single(rounds)
                    .ours();
        }
        if (peerRate == 0) {
            peerRate = dbScheduler();
        }
        cases.plain(name, new Measured(RATE, share * cycleRate, Map.of("db-scheduler", share * peerRate), null));
        double seconds = scale;
        for (Measured measured : Contest.of(() -> load(load -> {
                    load.latencies(share * cycleRate, 1);
                    return load.latencies(share * cycleRate, seconds);
                }))
                .peer("db-scheduler", () -> peer(peers -> peers.dbSchedulerLatencies(share * peerRate, seconds)))
                .run(rounds)) {
            cases.plain(name, measured);
        }
    }

    private void failOnce(String name) throws Exception {
        Measured measured =
                Contest.of("s", () -> load(load -> load.failOnceSeconds(5_000))).single(rounds);
        cases.judged(name, measured, Target.below(1));
    }

    /** A store with waiting events and one without take turns, because the rate of the disk changes within minutes. */
    private void delayed(String name, int waiting) throws Exception {
        try (EventStore full = SqliteStore.open(nextFile());
                EventStore empty = SqliteStore.open(nextFile())) {
            new EventLoad(full).addDelayed(waiting);
            Measured rates = Contest.of(RATE, () -> new EventLoad(full).eventsPerSecond(many(), 1, EventLoad.BULK))
                    .limit(RATE, () -> new EventLoad(empty).eventsPerSecond(many(), 1, EventLoad.BULK))
                    .single(Math.max(rounds, 5));
            double ratio = rates.ours() / rates.limit();
            cases.judged(name, new Measured("ratio", ratio, Map.of(), null, rates.spread()), Target.atLeast(0.9));
            if (waiting == MILLION) {
                double heap = usedHeap() / (double) MIB;
                cases.judged("heap-1m", new Measured("MiB", heap, Map.of(), null), Target.below(256));
            }
        }
    }

    private void writers(String name) throws Exception {
        int seconds = 2 * scale;
        for (Measured measured : Contest.of(() -> SqliteWriters.measure(nextFile(), WRITERS, seconds))
                .peer("one process", () -> SqliteWriters.measure(nextFile(), 1, seconds))
                .run(rounds)) {
            if (measured.metric().equals(SqliteWriters.LONGEST)) {
                cases.judged(name, measured, Target.below(500));
            } else {
                cases.plain(name, measured);
            }
        }
    }

    /** The limit is the best of the fixed limits, each of which is measured in every round. */
    private void adaptiveLimit(String name) throws Exception {
        Contest contest = Contest.of(CALLS, () -> goodput(AdaptiveLimit.between(1, 128)));
        for (int fixed : FIXED_LIMITS) {
            contest.peer("fixed " + fixed, CALLS, () -> goodput(AdaptiveLimit.between(fixed, fixed)));
        }
        Measured found = contest.single(rounds);
        cases.plain(name, found);
        double ratio = found.ours() / found.greatestPeer();
        cases.judged(name, new Measured("ratio", ratio, Map.of(), null, found.spread()), Target.atLeast(0.9));
    }

    private double goodput(AdaptiveLimit limit) throws Exception {
        try (EventStore store = SqliteStore.open(nextFile())) {
            return LimitedDownstream.goodput(store, limit, scale);
        }
    }

    private void openNew(String name) throws Exception {
        cases.judged(
                name, Contest.of("ms", () -> OpenNewStore.millis(nextFile())).single(rounds), Target.below(300));
    }

    private double bare(int events, int perCommit) throws Exception {
        return BareLoop.eventsPerSecond(newStore(), events, perCommit);
    }

    private Path newStore() {
        Path file = nextFile();
        SqliteStore.open(file).close();
        return file;
    }

    private <T> T peer(Body<JobPeers, T> measure) throws Exception {
        try (JobPeers peers = JobPeers.onSqlite(nextFile())) {
            return measure.on(peers);
        }
    }

    private <T> T load(Body<EventLoad, T> measure) throws Exception {
        try (EventStore store = SqliteStore.open(nextFile())) {
            return measure.on(new EventLoad(store));
        }
    }

    private interface Body<S, T> {
        T on(S subject) throws Exception;
    }

    private Path nextFile() {
        return folder.resolve("bench-" + ++files + ".db");
    }

    private static long usedHeap() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
