package io.redrive.bench;

import io.redrive.bench.BatchPeer.Shape;
import io.redrive.items.store.RunStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Item runs: samples through empty stages with the whole audit trail, beside Spring Batch; memory; HTTP. */
final class ItemsSuite implements Suite {

    private static final String RATE = "samples/s";
    private static final String RATIO = "ratio";
    private static final String PEER = "Spring Batch";
    private static final int ROUNDS = 3;
    private static final int CHUNK = 1_000;
    private static final Duration WORK = Duration.ofMillis(200);

    private final List<BenchResult> results = new ArrayList<>();

    @Override
    public String name() {
        return "items";
    }

    @Override
    public String about() {
        return "item runs on SQLite and PostgreSQL beside Spring Batch; what the audit trail costs, memory, an HTTP stage";
    }

    @Override
    public List<BenchResult> run(Options options, Consumer<String> progress) throws Exception {
        QuietLog.now();
        Path folder = Files.createTempDirectory("redrive-bench");
        int samples = options.quick() ? 30_000 : 100_000;
        try {
            try (ItemDatabase sqlite = ItemDatabase.sqlite(folder)) {
                noOp("sqlite", sqlite, samples, progress);
                progress.accept("an HTTP stage");
                http(sqlite, options.quick() ? 1_000 : 2_000);
            }
            try (ItemDatabase postgres = ItemDatabase.postgres()) {
                noOp("postgres", postgres, samples, progress);
            }
            progress.accept("memory");
            memory(folder, samples);
            return List.copyOf(results);
        } finally {
            delete(folder);
        }
    }

    private void noOp(String kind, ItemDatabase database, int samples, Consumer<String> progress) throws Exception {
        progress.accept(kind + ": warming up");
        ours(database, samples / 5, true);
        peer(database, Shape.STEP_PER_STAGE, samples / 5);
        double audited = 0;
        double unaudited = 0;
        Map<String, Double> peers = new LinkedHashMap<>();
        // Takes turns and keeps the best figure of each contestant: further load on machine and disk only lowers
        // figures.
        for (int round = 1; round <= ROUNDS; round++) {
            progress.accept(kind + ": round " + round + " of " + ROUNDS);
            audited = Math.max(audited, ours(database, samples, true));
            unaudited = Math.max(unaudited, ours(database, samples, false));
            peers.merge(PEER, peer(database, Shape.STEP_PER_STAGE, samples), Math::max);
            peers.merge(PEER + ", one step", peer(database, Shape.ONE_STEP_AUDITED, samples), Math::max);
            peers.merge(PEER + ", no audit", peer(database, Shape.ONE_STEP, samples), Math::max);
        }
        Target ahead = new Target(
                "at least 3 x " + PEER, m -> m.ours() >= 3 * m.peers().get(PEER));
        judged("no-op-" + kind, new Measured(RATE, audited, peers, null), ahead);
        Measured ratio = new Measured(RATIO, audited / unaudited, Map.of(), null);
        judged(kind.equals("sqlite") ? "audit" : "audit-" + kind, ratio, Target.atLeast(0.5));
    }

    private static double ours(ItemDatabase database, int samples, boolean audited) {
        try (RunStore store = database.newStore()) {
            return ItemLoad.samplesPerSecond(store, "no-op", samples, audited);
        }
    }

    private static double peer(ItemDatabase database, Shape shape, int samples) throws Exception {
        return database.peer().samplesPerSecond(shape, samples, CHUNK);
    }

    private void http(ItemDatabase database, int samples) throws IOException {
        double best = Double.MAX_VALUE;
        try (ItemHttp http = new ItemHttp(WORK);
                RunStore store = database.newStore()) {
            http.ratioToIdeal(store, "warm-up", samples / 4);
            for (int round = 1; round <= ROUNDS; round++) {
                best = Math.min(best, http.ratioToIdeal(store, "http-" + round, samples));
            }
        }
        judged("http", new Measured(RATIO, best, Map.of(), null), Target.atMost(1.3));
    }

    private void memory(Path folder, int samples) throws Exception {
        double small = ItemMemory.inChild(folder.resolve("memory-1.db"), samples);
        double large = ItemMemory.inChild(folder.resolve("memory-10.db"), 10 * samples);
        judged("memory", new Measured(RATIO, large / small, Map.of(), null), Target.below(1.1));
        results.add(BenchResult.plain(name(), "memory", new Measured("MiB", large / (1024 * 1024), Map.of(), null)));
    }

    private void judged(String caseName, Measured measured, Target target) {
        results.add(BenchResult.judged(name(), caseName, measured, target));
    }

    static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
