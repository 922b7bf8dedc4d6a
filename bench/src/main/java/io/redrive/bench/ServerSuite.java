package io.redrive.bench;

import io.redrive.jdbc.SqliteStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A server: events accepted over HTTP beside events published in process, and webhooks from publish to a receiver on loopback beside
 * a bare loop of java.net.http.
 */
final class ServerSuite implements Suite {

    private static final int ROUNDS = 3;
    private static final double BATCH_SHARE = 0.5;
    private static final double DELIVER_SHARE = 0.7;
    private static final double P99_FACTOR = 1.5;
    private static final int BATCH = 100;
    private static final int ROUTES = 10_000;
    private static final double MOST_BYTES_OF_A_ROUTE = 10_000;

    private int files;

    @Override
    public String name() {
        return "server";
    }

    @Override
    public String about() {
        return "events accepted over HTTP, and webhooks delivered to a receiver on loopback";
    }

    @Override
    public List<BenchResult> run(Options options, Consumer<String> progress) throws Exception {
        Path folder = Files.createTempDirectory("redrive-bench");
        QuietLog.now();
        try {
            int scale = options.quick() ? 1 : 4;
            List<BenchResult> results = new ArrayList<>();
            results.addAll(accepted(folder, scale, progress));
            results.add(deliver(folder, 5_000 * scale, progress));
            results.add(besideHanging(folder, 1_000 * scale, progress));
            results.add(memory(folder, progress));
            return results;
        } finally {
            delete(folder);
        }
    }

    /** A server, and a store of this process. */
    private record Contestants(String url, SqliteStore store) {}

    private List<BenchResult> accepted(Path folder, int scale, Consumer<String> progress) throws Exception {
        progress.accept("starting a server");
        Path configuration = Files.writeString(folder.resolve("redrive.yml"), "");
        try (ServerProcess server = ServerProcess.start(file(folder), configuration, folder.resolve("server.log"));
                SqliteStore store = SqliteStore.open(file(folder))) {
            progress.accept("warming up");
            PublishLoad.overHttp(server.url(), 2_000 * scale, 1);
            PublishLoad.overHttp(server.url(), 50_000 * scale, BATCH);
            PublishLoad.inProcess(store, 50_000 * scale, BATCH);
            Contestants both = new Contestants(server.url(), store);
            BenchResult single = accepted("publish-single", both, 2_000 * scale, 1, progress);
            BenchResult batch = accepted("publish-batch-" + BATCH, both, 50_000 * scale, BATCH, progress);
            return List.of(single, batch);
        }
    }

    private BenchResult accepted(
            String caseName, Contestants contestants, int events, int batch, Consumer<String> progress)
            throws Exception {
        double ours = 0;
        double limit = 0;
        for (int round = 1; round <= ROUNDS; round++) {
            progress.accept(caseName + ": round " + round + " of " + ROUNDS);
            limit = Math.max(limit, PublishLoad.inProcess(contestants.store(), events, batch));
            ours = Math.max(ours, PublishLoad.overHttp(contestants.url(), events, batch));
        }
        progress.accept(String.format("%s: %.0f events/s over HTTP, %.0f in process", caseName, ours, limit));
        Measured measured = new Measured("events/s", ours, Map.of(), limit);
        return batch == 1
                ? BenchResult.plain(name(), caseName, measured)
                : BenchResult.judged(name(), caseName, measured, Target.atLeastLimitTimes(BATCH_SHARE));
    }

    private BenchResult memory(Path folder, Consumer<String> progress) throws Exception {
        progress.accept("the heap of " + ROUTES + " routes");
        try (SqliteStore store = SqliteStore.open(file(folder))) {
            double bytes = DeliveryLoad.heapOfRoutes(store, ROUTES) / (double) ROUTES;
            return BenchResult.judged(
                    name(),
                    "memory-10k-routes",
                    new Measured("bytes/route", bytes, Map.of(), null),
                    Target.below(MOST_BYTES_OF_A_ROUTE));
        }
    }

    private BenchResult deliver(Path folder, int events, Consumer<String> progress) throws Exception {
        progress.accept("warming up");
        DeliveryLoad.barePerSecond(events / 2);
        delivered(folder, events / 2);
        double bare = 0;
        double ours = 0;
        // Takes turns and keeps the best figure of each: further load on the machine only lowers figures.
        for (int round = 1; round <= ROUNDS; round++) {
            progress.accept("the bare loop, then publish to receipt: round " + round + " of " + ROUNDS);
            bare = Math.max(bare, DeliveryLoad.barePerSecond(events));
            ours = Math.max(ours, delivered(folder, events));
        }
        progress.accept(String.format("%.0f webhooks/s, %.0f requests/s of the bare loop", ours, bare));
        return BenchResult.judged(
                name(),
                "deliver",
                new Measured("events/s", ours, Map.of(), bare),
                Target.atLeastLimitTimes(DELIVER_SHARE));
    }

    private double delivered(Path folder, int events) throws Exception {
        try (SqliteStore store = SqliteStore.open(file(folder))) {
            return DeliveryLoad.deliveredPerSecond(store, events);
        }
    }

    private BenchResult besideHanging(Path folder, int events, Consumer<String> progress) throws Exception {
        double alone = Double.MAX_VALUE;
        double beside = Double.MAX_VALUE;
        for (int round = 1; round <= ROUNDS; round++) {
            progress.accept("a healthy destination beside a hanging one: round " + round + " of " + ROUNDS);
            alone = Math.min(alone, p99(folder, events, false));
            beside = Math.min(beside, p99(folder, events, true));
        }
        progress.accept(
                String.format("p99 %.1f ms beside a healthy destination, %.1f ms beside a hanging one", alone, beside));
        return BenchResult.judged(
                name(),
                "deliver-p99",
                new Measured("ratio", beside / alone, Map.of(), null),
                Target.atMost(P99_FACTOR));
    }

    private double p99(Path folder, int events, boolean hanging) throws Exception {
        try (SqliteStore store = SqliteStore.open(file(folder))) {
            return DeliveryLoad.p99(store, events, hanging);
        }
    }

    private Path file(Path folder) {
        return folder.resolve("store-" + files++ + ".db");
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
