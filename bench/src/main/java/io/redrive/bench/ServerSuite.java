package io.redrive.bench;

import io.redrive.jdbc.SqliteStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
    /**
     * Requests before the first measured one. Servers run for weeks: what counts is their rate once the JVM has compiled the path of a
     * request, which takes some ten thousand of them.
     */
    private static final int WARM_UP = 20_000;

    /**
     * Events of batches before the first measured one, over HTTP and in process. After 800,000 events the compilers of both JVMs still
     * took a quarter of the processors.
     */
    private static final int WARM_UP_OF_BATCHES = 1_500_000;

    /**
     * Webhooks before the first measured one, and requests of the bare loop. The path of a webhook is long: on two cores the compiler
     * takes a quarter of the processors until some 140,000 webhooks were delivered, and nothing after that.
     */
    private static final int WARM_UP_OF_DELIVERY = 150_000;

    private static final int ROUTES = 10_000;
    private static final double MOST_BYTES_OF_A_ROUTE = 10_000;
    private static final double MOST_SECONDS_OF_A_START = 8;
    private static final double MOST_MILLIS_OF_A_COMMAND = 400;
    private static final int IDLE_CONNECTIONS = 10_000;
    private static final double MOST_SECONDS_BESIDE_IDLE = 30;

    private final Cases cases = new Cases(name())
            .with("start", this::start)
            .with("start-jar", this::startJar)
            .with("remote-command", this::remoteCommand)
            .with("idle-connections", this::idleConnections)
            .with("publish-single", name -> accepted(name, 2_000, 1))
            .with("publish-batch-" + BATCH, name -> accepted(name, 50_000, BATCH))
            .with("deliver", this::deliver)
            .with("deliver-p99", this::besideHanging)
            .with("memory-10k-routes", this::memory);

    private Path folder;
    private int scale;
    private Consumer<String> progress;

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
    public List<Options.Option> options() {
        return List.of(Options.Option.cases(cases.names()));
    }

    @Override
    public List<BenchResult> run(Options options, Consumer<String> progress) throws Exception {
        folder = Files.createTempDirectory("redrive-bench");
        scale = options.quick() ? 1 : 4;
        this.progress = progress;
        QuietLog.now();
        try {
            return cases.run(options, progress);
        } finally {
            delete(folder);
        }
    }

    private void start(String name) throws Exception {
        double seconds = new ServerUse(folder).start(ROUNDS);
        cases.judged(name, new Measured("s", seconds, Map.of(), null), Target.atMost(MOST_SECONDS_OF_A_START));
    }

    private void startJar(String name) throws Exception {
        cases.plain(name, new Measured("s", new ServerUse(folder).startJar(ROUNDS), Map.of(), null));
    }

    private void remoteCommand(String name) throws Exception {
        double millis = new ServerUse(folder).remoteCommand(10 * scale);
        cases.judged(name, new Measured("ms", millis, Map.of(), null), Target.atMost(MOST_MILLIS_OF_A_COMMAND));
    }

    private void idleConnections(String name) throws Exception {
        double seconds = new ServerUse(folder).servedBeside(IDLE_CONNECTIONS);
        cases.judged(name, new Measured("s", seconds, Map.of(), null), Target.atMost(MOST_SECONDS_BESIDE_IDLE));
    }

    /** A server in a process of its own, and a store of this process, which take turns. */
    private void accepted(String name, int eventsOfQuick, int batch) throws Exception {
        int events = eventsOfQuick * scale;
        Path configuration = Files.writeString(folder.resolve("redrive.yml"), "");
        try (ServerProcess server = ServerProcess.start(file(), configuration, folder.resolve("server.log"));
                SqliteStore store = SqliteStore.open(file())) {
            progress.accept(name + ": warming up");
            int first = batch == 1 ? WARM_UP : WARM_UP_OF_BATCHES;
            PublishLoad.overHttp(server.url(), first, batch);
            PublishLoad.inProcess(store, first, batch);
            double ours = 0;
            double limit = 0;
            for (int round = 1; round <= ROUNDS; round++) {
                progress.accept(name + ": round " + round + " of " + ROUNDS);
                limit = Math.max(limit, PublishLoad.inProcess(store, events, batch));
                ours = Math.max(ours, PublishLoad.overHttp(server.url(), events, batch));
            }
            progress.accept(String.format("%s: %.0f events/s over HTTP, %.0f in process", name, ours, limit));
            Measured measured = new Measured("events/s", ours, Map.of(), limit);
            if (batch == 1) {
                cases.plain(name, measured);
            } else {
                cases.judged(name, measured, Target.atLeastLimitTimes(BATCH_SHARE));
            }
        }
    }

    private void memory(String name) throws Exception {
        try (SqliteStore store = SqliteStore.open(file())) {
            double bytes = DeliveryLoad.heapOfRoutes(store, ROUTES) / (double) ROUTES;
            cases.judged(name, new Measured("bytes/route", bytes, Map.of(), null), Target.below(MOST_BYTES_OF_A_ROUTE));
        }
    }

    private void deliver(String name) throws Exception {
        int events = 5_000 * scale;
        progress.accept(name + ": warming up");
        DeliveryLoad.barePerSecond(WARM_UP_OF_DELIVERY);
        delivered(WARM_UP_OF_DELIVERY);
        double bare = 0;
        double ours = 0;
        // Takes turns and keeps the best figure of each: further load on the machine only lowers figures.
        for (int round = 1; round <= ROUNDS; round++) {
            progress.accept("the bare loop, then publish to receipt: round " + round + " of " + ROUNDS);
            bare = Math.max(bare, DeliveryLoad.barePerSecond(events));
            ours = Math.max(ours, delivered(events));
        }
        progress.accept(String.format("%.0f webhooks/s, %.0f requests/s of the bare loop", ours, bare));
        cases.judged(name, new Measured("events/s", ours, Map.of(), bare), Target.atLeastLimitTimes(DELIVER_SHARE));
    }

    private double delivered(int events) throws Exception {
        try (SqliteStore store = SqliteStore.open(file())) {
            return DeliveryLoad.deliveredPerSecond(store, events);
        }
    }

    private void besideHanging(String name) throws Exception {
        double alone = Double.MAX_VALUE;
        double beside = Double.MAX_VALUE;
        for (int round = 1; round <= ROUNDS; round++) {
            progress.accept("a healthy destination beside a hanging one: round " + round + " of " + ROUNDS);
            alone = Math.min(alone, p99(1_000 * scale, false));
            beside = Math.min(beside, p99(1_000 * scale, true));
        }
        progress.accept(
                String.format("p99 %.1f ms beside a healthy destination, %.1f ms beside a hanging one", alone, beside));
        cases.judged(name, new Measured("ratio", beside / alone, Map.of(), null), Target.atMost(P99_FACTOR));
    }

    private double p99(int events, boolean hanging) throws Exception {
        try (SqliteStore store = SqliteStore.open(file())) {
            return DeliveryLoad.p99(store, events, hanging);
        }
    }

    private Path file() {
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
