package io.redrive.bench;

import io.redrive.jdbc.PostgresOptions;
import io.redrive.jdbc.PostgresStore;
import io.redrive.pipeline.Profile;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Durable events on PostgreSQL, on one and several nodes, beside a bare JDBC loop and the job queues of the field. */
final class PostgresSuite implements Suite {

    private static final Options.Option NODE_PEERS =
            Options.Option.flag("--node-peers", "also graphile-worker and pg-boss; needs node and npm");
    private static final String RATE = "events/s";
    private static final int ROUNDS = 3;

    private final List<BenchResult> results = new ArrayList<>();
    private String url;
    private int schemas;

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
        return List.of(NODE_PEERS);
    }

    @Override
    public List<BenchResult> run(Options options, Consumer<String> progress) throws Exception {
        QuietLog.now();
        // Switches durability on, which the embedded server leaves off; all further settings are PostgreSQL's defaults.
        try (EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("full_page_writes", "on")
                .start()) {
            url = server.getJdbcUrl("postgres", "postgres");
            int many = options.quick() ? 30_000 : 120_000;
            progress.accept("warming up");
            new PostgresBareLoop(url).drainPerSecond(20_000);
            on(1, nodes -> new EventLoad(nodes.get(0)).eventsPerSecond(20_000, 1, EventLoad.BULK));
            on(1, nodes -> EventLoad.drainPerSecond(nodes, 20_000));
            Map<String, Double> peers = peers(options, progress);
            rates(many, peers, progress);
            progress.accept("latency and retries");
            latency(options.quick() ? 500 : 2_000);
            failOnce();
            progress.accept("with many delayed events waiting");
            delayed(many);
            progress.accept("beside a transaction that stays open");
            heldTransaction(many);
            return List.copyOf(results);
        }
    }

    /** The best of as many rounds as ours get. */
    private Map<String, Double> peers(Options options, Consumer<String> progress) throws Exception {
        Map<String, Double> rates = new LinkedHashMap<>();
        JobPeers.Clock clock = JobPeers.Clock.FROM_START_OF_WORKERS;
        for (int round = 1; round <= ROUNDS; round++) {
            progress.accept("the job queues: round " + round + " of " + ROUNDS);
            try (JobPeers peers = JobPeers.onPostgres(url)) {
                rates.merge("db-scheduler", peers.dbScheduler(options.quick() ? 10_000 : 30_000, clock), Math::max);
                rates.merge("JobRunr", peers.jobRunr(options.quick() ? 3_000 : 10_000, clock), Math::max);
            }
            if (options.has(NODE_PEERS)) {
                NodePeers.drainPerSecond(url, 30_000).forEach((peer, rate) -> rates.merge(peer, rate, Math::max));
            }
        }
        return rates;
    }

    private void rates(int many, Map<String, Double> peers, Consumer<String> progress) throws Exception {
        double bareCycle = 0;
        double bareDrain = 0;
        double bulk = 0;
        double tunedDrain = 0;
        Map<Integer, Double> drains = new LinkedHashMap<>();
        // Takes turns and keeps the best figure of each contestant: further load on machine and disk only lowers
        // figures.
        for (int round = 1; round <= ROUNDS; round++) {
            progress.accept("the bare loop, then publish, handle, settle: round " + round + " of " + ROUNDS);
            bareCycle = Math.max(bareCycle, new PostgresBareLoop(url).cyclePerSecond(many));
            bulk = Math.max(bulk, on(1, nodes -> new EventLoad(nodes.get(0)).eventsPerSecond(many, 1, EventLoad.BULK)));
            bareDrain = Math.max(bareDrain, new PostgresBareLoop(url).drainPerSecond(many));
            tunedDrain = Math.max(
                    tunedDrain, on(1, nodes -> EventLoad.drainPerSecond(nodes, many, Profile.HIGH_THROUGHPUT)));
            for (int count : new int[] {1, 2, 4}) {
                drains.merge(count, on(count, nodes -> EventLoad.drainPerSecond(nodes, many)), Math::max);
            }
        }
        plain("publish-bulk", new Measured(RATE, bulk, Map.of(), bareCycle));
        Map<String, Double> javaPeers = new LinkedHashMap<>(peers);
        javaPeers.keySet().removeAll(NodePeers.NAMES);
        Target ahead = new Target(
                "at least 0.8 x the limit, at least 3 x the best Java peer"
                        + (peers.size() > javaPeers.size() ? ", and ahead of graphile-worker" : ""),
                m -> m.ours() >= 0.8 * m.limit()
                        && m.ours() >= 3 * new Measured(RATE, 0, javaPeers, null).greatestPeer()
                        && m.ours() > m.peers().getOrDefault(NodePeers.GRAPHILE_WORKER, 0.0));
        judged("drain", new Measured(RATE, drains.get(1), peers, bareDrain), ahead);
        plain("drain-tuned", new Measured(RATE, tunedDrain, Map.of(), bareDrain));
        plain("drain-2-nodes", new Measured(RATE, drains.get(2), Map.of(), bareDrain));
        plain("drain-4-nodes", new Measured(RATE, drains.get(4), Map.of(), bareDrain));
    }

    private void latency(int events) throws Exception {
        double[] millis = on(1, nodes -> {
            EventLoad load = new EventLoad(nodes.get(0));
            load.idleLatencies(200);
            return load.idleLatencies(events);
        });
        plain("idle-latency", new Measured("p50 ms", EventLoad.percentile(millis, 0.5), Map.of(), null));
        judged(
                "idle-latency",
                new Measured("p99 ms", EventLoad.percentile(millis, 0.99), Map.of(), null),
                Target.below(20));
    }

    private void failOnce() throws Exception {
        double seconds = on(1, nodes -> new EventLoad(nodes.get(0)).failOnceSeconds(5_000));
        judged("fail-once", new Measured("s", seconds, Map.of(), null), Target.below(1.5));
    }

    private void delayed(int many) throws Exception {
        on(1, nodes -> {
            EventLoad load = new EventLoad(nodes.get(0));
            double without = bestDrain(nodes, many);
            load.addDelayed(300_000);
            writeAllToDisk();
            ratio("delayed-300k", bestDrain(nodes, many) / without, 0.9);
            load.addDelayed(700_000);
            writeAllToDisk();
            ratio("delayed-1m", bestDrain(nodes, many) / without, 0.9);
            return null;
        });
    }

    /** Ends the disk work of the publishing, because only the cost of waiting events is measured. */
    private void writeAllToDisk() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("CHECKPOINT");
        }
    }

    /** The snapshot of an open transaction keeps the server from removing rows deleted later. */
    private void heldTransaction(int many) throws Exception {
        on(1, nodes -> {
            EventLoad load = new EventLoad(nodes.get(0));
            double without = bestRate(load, many);
            try (Connection connection = DriverManager.getConnection(url);
                    Statement statement = connection.createStatement()) {
                connection.setAutoCommit(false);
                connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
                statement.execute("SELECT count(*) FROM pg_class");
                ratio("held-transaction", bestRate(load, many) / without, 0.8);
            }
            return null;
        });
    }

    private static double bestRate(EventLoad load, int events) throws Exception {
        double best = 0;
        for (int round = 1; round <= ROUNDS; round++) {
            best = Math.max(best, load.eventsPerSecond(events, 1, EventLoad.BULK));
        }
        return best;
    }

    private static double bestDrain(List<PostgresStore> nodes, int events) throws Exception {
        double best = 0;
        for (int round = 1; round <= ROUNDS; round++) {
            best = Math.max(best, EventLoad.drainPerSecond(nodes, events));
        }
        return best;
    }

    private interface Case<T> {
        T on(List<PostgresStore> nodes) throws Exception;
    }

    /** Runs nodes on a new schema, which is dropped afterwards. */
    private <T> T on(int count, Case<T> measure) throws Exception {
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

    private void ratio(String caseName, double ratio, double least) {
        judged(caseName, new Measured("ratio", ratio, Map.of(), null), Target.atLeast(least));
    }

    private void plain(String caseName, Measured measured) {
        results.add(BenchResult.plain(name(), caseName, measured));
    }

    private void judged(String caseName, Measured measured, Target target) {
        results.add(BenchResult.judged(name(), caseName, measured, target));
    }
}
