package io.redrive.bench;

import io.redrive.jdbc.PostgresOptions;
import io.redrive.jdbc.PostgresStore;
import io.redrive.pipeline.Profile;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/** Durable events on PostgreSQL, on one and several nodes, beside a bare JDBC loop and the job queues of the field. */
final class PostgresSuite implements Suite {

    private static final Options.Option NODE_PEERS =
            Options.Option.flag("--node-peers", "also graphile-worker and pg-boss; needs node and npm");
    private static final String RATE = EventLoad.RATE;
    private static final int WARM_UP = 60_000;
    private static final int MOST_WARM_UPS = 8;
    private final Cases cases = new Cases(name())
            .with("drain", this::drain)
            .with("drain-tuned", this::drainTuned)
            .with("publish-bulk", this::publishBulk)
            .with("publish-bulk-tuned", this::publishBulkTuned)
            .with("drain-2-nodes", name -> drainNodes(name, 2))
            .with("drain-4-nodes", name -> drainNodes(name, 4))
            .with("idle-latency", this::idleLatency)
            .with("latency-25", name -> latency(name, 0.25))
            .with("latency-50", name -> latency(name, 0.5))
            .with("latency-75", name -> latency(name, 0.75))
            .with("fail-once", this::failOnce)
            .with("delayed-300k", name -> delayed(name, 300_000))
            .with("delayed-1m", name -> delayed(name, 1_000_000))
            .with("held-transaction", this::heldTransaction);

    private String url;
    private Options options;
    private int schemas;
    private int rounds;
    private double cycleRate;
    private final Map<String, Double> peerRates = new LinkedHashMap<>();

    @Override
    public String name() {
        return "postgres";
    }

    @Override
    public String about() {
        return "durable events on PostgreSQL beside JobRunr, db-scheduler and a bare JDBC loop, on 1, 2 and 4 nodes";
    }

    @Override
    public List<Options.Option> options() {
        return List.of(NODE_PEERS, Options.Option.cases(cases.names()));
    }

    @Override
    public List<BenchResult> run(Options options, Consumer<String> progress) throws Exception {
        QuietLog.now();
        this.options = options;
        rounds = options.quick() ? 3 : 5;
        cycleRate = 0;
        peerRates.clear();
        // Switches durability on, which the embedded server leaves off; all further settings are PostgreSQL's defaults.
        try (EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .start()) {
            url = server.getJdbcUrl("postgres", "postgres");
            progress.accept("warming up");
            warmUp();
            return cases.run(options, progress);
        }
    }

    /**
     * Runs until the compilers of the JVM have little left to do. Before, they occupied one of two cores for the first half minute of our
     * code, while the bare loop, which is short, was compiled at once: the figures told the share of the compilers.
     */
    private void warmUp() throws Exception {
        CompilationMXBean compilers = ManagementFactory.getCompilationMXBean();
        double busy = 1;
        for (int round = 0; round < MOST_WARM_UPS && busy > Contest.COMPILERS_AT_REST; round++) {
            long compiled = compilers.getTotalCompilationTime();
            long start = System.nanoTime();
            new PostgresBareLoop(url).cyclePerSecond(WARM_UP);
            on(1, nodes -> new EventLoad(nodes.get(0)).eventsPerSecond(WARM_UP, 1, EventLoad.BULK));
            on(1, nodes -> EventLoad.drainPerSecond(nodes, WARM_UP));
            busy = (compilers.getTotalCompilationTime() - compiled) / ((System.nanoTime() - start) / 1e6);
        }
    }

    private int many() {
        return options.quick() ? 30_000 : 120_000;
    }

    private void drain(String name) throws Exception {
        JobPeers.Clock clock = JobPeers.Clock.FROM_START_OF_WORKERS;
        Contest contest = Contest.of(RATE, () -> drainPerSecond(Profile.STANDARD))
                .limit(RATE, () -> new PostgresBareLoop(url).drainPerSecond(many()))
                .peer("db-scheduler", RATE, () -> peer(peers -> peers.dbScheduler(many() / 4, clock)))
                .peer("JobRunr", RATE, () -> peer(peers -> peers.jobRunr(many() / 12, clock)));
        if (options.has(NODE_PEERS)) {
            NodePeers node = new NodePeers(url);
            NodePeers.NAMES.forEach(peer -> contest.peer(peer, RATE, () -> node.drainPerSecond(peer, 30_000)));
        }
        Measured measured = contest.single(rounds);
        peerRates.putAll(measured.peers());
        Map<String, Double> javaPeers = new LinkedHashMap<>(measured.peers());
        javaPeers.keySet().removeAll(NodePeers.NAMES);
        Target ahead = new Target(
                "at least 0.8 x the limit, at least 3 x the best Java peer"
                        + (measured.peers().size() > javaPeers.size() ? ", and ahead of graphile-worker" : ""),
                m -> m.ours() >= 0.8 * m.limit()
                        && m.ours() >= 3 * new Measured(RATE, 0, javaPeers, null).greatestPeer()
                        && m.ours() > m.peers().getOrDefault(NodePeers.GRAPHILE_WORKER, 0.0));
        cases.judged(name, measured, ahead);
    }

    private void drainTuned(String name) throws Exception {
        cases.plain(
                name,
                Contest.of(RATE, () -> drainPerSecond(Profile.HIGH_THROUGHPUT))
                        .limit(RATE, () -> new PostgresBareLoop(url).drainPerSecond(many()))
                        .single(rounds));
    }

    /** The limit is one node: more nodes gain nothing where all share two cores, and must not lose. */
    private void drainNodes(String name, int nodes) throws Exception {
        cases.judged(
                name,
                Contest.of(RATE, () -> on(nodes, all -> EventLoad.drainByRunningNodes(all, many())))
                        .limit(RATE, () -> on(1, all -> EventLoad.drainByRunningNodes(all, many())))
                        .single(rounds),
                new Target("at least 0.9 x one node", m -> m.ours() >= 0.9 * m.limit()));
    }

    private double drainPerSecond(Profile profile) throws Exception {
        return on(1, nodes -> EventLoad.drainPerSecond(nodes, many(), profile));
    }

    private void publishBulk(String name) throws Exception {
        Measured measured = Contest.of(RATE, () -> cyclePerSecond(Profile.STANDARD))
                .limit(RATE, () -> new PostgresBareLoop(url).cyclePerSecond(many()))
                .single(rounds);
        cycleRate = measured.ours();
        cases.judged(name, measured, Target.atLeastLimitTimes(0.8));
    }

    private void publishBulkTuned(String name) throws Exception {
        cases.plain(
                name,
                Contest.of(RATE, () -> cyclePerSecond(Profile.HIGH_THROUGHPUT))
                        .limit(RATE, () -> new PostgresBareLoop(url).cyclePerSecond(many()))
                        .single(rounds));
    }

    private double cyclePerSecond(Profile profile) throws Exception {
        return on(1, nodes -> new EventLoad(nodes.get(0), profile).eventsPerSecond(many(), 1, EventLoad.BULK));
    }

    private void idleLatency(String name) throws Exception {
        double[] millis = on(1, nodes -> {
            EventLoad load = new EventLoad(nodes.get(0));
            load.idleLatencies(200);
            return load.idleLatencies(options.quick() ? 500 : 2_000);
        });
        cases.plain(name, new Measured("p50 ms", EventLoad.percentile(millis, 0.5), Map.of(), null));
        cases.judged(
                name,
                new Measured(EventLoad.P99, EventLoad.percentile(millis, 0.99), Map.of(), null),
                Target.below(20));
    }

    /** Each contestant gets a share of its own rate: ours of a whole cycle, those of the peers of a drain. */
    private void latency(String name, double share) throws Exception {
        double seconds = options.quick() ? 2 : 5;
        if (cycleRate == 0) {
            cycleRate = Contest.of(RATE, () -> cyclePerSecond(Profile.STANDARD))
                    .single(rounds)
                    .ours();
        }
        double scheduled = peerRate(
                "db-scheduler", () -> peer(peers -> peers.dbScheduler(10_000, JobPeers.Clock.FROM_START_OF_WORKERS)));
        Map<String, Double> offered = new LinkedHashMap<>(Map.of("db-scheduler", share * scheduled));
        Contest contest = Contest.of(() -> on(1, nodes -> {
                    EventLoad load = new EventLoad(nodes.get(0));
                    load.latencies(share * cycleRate, 1);
                    return load.latencies(share * cycleRate, seconds);
                }))
                .peer("db-scheduler", () -> peer(peers -> peers.dbSchedulerLatencies(share * scheduled, seconds)));
        if (options.has(NODE_PEERS)) {
            NodePeers node = new NodePeers(url);
            String graphile = NodePeers.GRAPHILE_WORKER;
            double drained = peerRate(graphile, () -> node.drainPerSecond(graphile, 30_000));
            offered.put(graphile, share * drained);
            contest.peer(graphile, () -> node.latencies(share * drained, seconds));
        }
        cases.plain(name, new Measured(RATE, share * cycleRate, offered, null));
        for (Measured measured : contest.run(rounds)) {
            cases.plain(name, measured);
        }
    }

    private double peerRate(String peer, Callable<Double> measure) throws Exception {
        if (!peerRates.containsKey(peer)) {
            peerRates.put(peer, measure.call());
        }
        return peerRates.get(peer);
    }

    private void failOnce(String name) throws Exception {
        cases.judged(
                name,
                Contest.of("s", () -> on(1, nodes -> new EventLoad(nodes.get(0)).failOnceSeconds(5_000)))
                        .single(rounds),
                Target.below(1.5));
    }

    /** A schema with waiting events and one without take turns, because the rate of the disk changes within minutes. */
    private void delayed(String name, int waiting) throws Exception {
        on(
                1,
                full -> on(1, empty -> {
                    new EventLoad(full.get(0)).addDelayed(waiting);
                    writeAllToDisk();
                    Measured rates = Contest.of(RATE, () -> EventLoad.drainPerSecond(full, many()))
                            .limit(RATE, () -> EventLoad.drainPerSecond(empty, many()))
                            .single(5);
                    ratio(name, rates, 0.9);
                    return null;
                }));
    }

    /** Ends the disk work of the publishing, because only the cost of waiting events is measured. */
    private void writeAllToDisk() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("CHECKPOINT");
        }
    }

    /** The snapshot of an open transaction keeps the server from removing rows deleted later. */
    private void heldTransaction(String name) throws Exception {
        on(1, nodes -> {
            EventLoad load = new EventLoad(nodes.get(0));
            double without = rate(load).ours();
            try (Connection connection = DriverManager.getConnection(url);
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
                statement.execute("SELECT count(*) FROM pg_class");
                Measured held = rate(load);
                ratio(name, new Measured(RATE, held.ours(), Map.of(), without, held.spread()), 0.8);
            }
            return null;
        });
    }

    private Measured rate(EventLoad load) throws Exception {
        return Contest.of(RATE, () -> load.eventsPerSecond(many(), 1, EventLoad.BULK))
                .single(rounds);
    }

    private <T> T peer(Body<JobPeers, T> measure) throws Exception {
        try (JobPeers peers = JobPeers.onPostgres(url)) {
            return measure.on(peers);
        }
    }

    private interface Body<S, T> {
        T on(S subject) throws Exception;
    }

    /** Runs nodes on a new schema, which is dropped afterwards. */
    private <T> T on(int count, Body<List<PostgresStore>, T> measure) throws Exception {
        String schema = "bench_" + ++schemas;
        List<PostgresStore> nodes = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                nodes.add(PostgresStore.open(url, PostgresOptions.DEFAULT.withSchema(schema)));
            }
            return measure.on(nodes);
        } finally {
            nodes.forEach(PostgresStore::close);
            try (Connection connection = DriverManager.getConnection(url);
                    Statement statement = connection.createStatement()) {
                statement.execute("DROP SCHEMA IF EXISTS " + schema + " CASCADE");
            }
        }
    }

    private void ratio(String caseName, Measured rates, double least) {
        Measured ratio = new Measured("ratio", rates.ours() / rates.limit(), Map.of(), null, rates.spread());
        cases.judged(caseName, ratio, Target.atLeast(least));
    }
}
