package io.redrive.bench;

import com.sun.net.httpserver.HttpServer;
import io.redrive.events.LetterFilter;
import io.redrive.jdbc.SqliteStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Kills a server with SIGKILL at random moments, while clients publish over HTTP and a receiver takes webhooks. The clients note each
 * acknowledged event, the receiver each message. A last server delivers the rest.
 */
final class ServerCrashRun implements AutoCloseable {

    private static final int CLIENTS = 4;
    private static final Set<Integer> STORED = Set.of(200, 202);
    private static final int NO_CONTENT = 204;
    private static final Duration LONGEST_LIFE = Duration.ofMillis(2_500);
    private static final Duration DRAIN_LIMIT = Duration.ofMinutes(5);
    /** Deliveries after which a server is known to work: killing a server that only starts proves nothing. */
    private static final int WORKING = 50;

    private static final int PROCESSORS = 16;
    private static final int DEMAND = 4;

    private final Path folder;
    private final Random random;
    private final HttpServer receiver;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
    private final Map<String, AtomicInteger> received = new ConcurrentHashMap<>();
    private final AtomicLong deliveries = new AtomicLong();
    private final AtomicInteger ids = new AtomicInteger();
    private volatile String url = "";
    private volatile boolean publishing = true;

    ServerCrashRun(Path folder, long seed) throws IOException {
        this.folder = folder;
        random = new Random(seed);
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 1_000);
        receiver.setExecutor(threads);
        receiver.createContext("/", exchange -> {
            try (exchange) {
                exchange.getRequestBody().readAllBytes();
                String id = exchange.getRequestHeaders().getFirst("webhook-id");
                received.computeIfAbsent(id, unknown -> new AtomicInteger()).incrementAndGet();
                deliveries.incrementAndGet();
                exchange.sendResponseHeaders(NO_CONTENT, -1);
            }
        });
        receiver.start();
    }

    /**
     * What the clients and the receiver noted.
     *
     * @param lost acknowledged events that the receiver never got
     * @param dead dead letters at the end
     * @param repeated messages that the receiver got again
     * @param inFlight the most messages that may come again: all that each killed server could hold at once
     */
    record Verdict(int acknowledged, int lost, int dead, long repeated, long inFlight) {}

    /** Kills {@code kills} servers, one after the other, and lets the next one finish. */
    Verdict run(int kills, Consumer<String> progress) throws Exception {
        Path configuration = Files.writeString(folder.resolve("redrive.yml"), """
                webhooks: {allow: [127.0.0.1/32]}
                routes:
                  sink:
                    events: [crash.*]
                    url: http://127.0.0.1:%d/
                    plain-http: true
                pipeline: {processors: %d, min-demand: 1, max-demand: %d, lease: 5s}
                """.formatted(
                        receiver.getAddress().getPort(), PROCESSORS, DEMAND));
        Path store = folder.resolve("server.db");
        Path log = folder.resolve("server.log");
        for (int i = 0; i < CLIENTS; i++) {
            threads.execute(this::publish);
        }
        for (int kill = 1; kill <= kills; kill++) {
            ServerProcess server = ServerProcess.start(store, configuration, log);
            url = server.url();
            awaitDeliveries(deliveries.get() + WORKING);
            TimeUnit.MILLISECONDS.sleep(random.nextLong(LONGEST_LIFE.toMillis()));
            server.kill();
            progress.accept("killed " + kill + " of " + kills + ", " + acknowledged.size() + " events acknowledged");
        }
        publishing = false;
        try (ServerProcess last = ServerProcess.start(store, configuration, log)) {
            awaitAll();
        }
        try (SqliteStore left = SqliteStore.open(store)) {
            long repeated = received.values().stream()
                    .mapToLong(times -> times.get() - 1)
                    .sum();
            int dead = left.deadLetters().list(LetterFilter.ALL, 0, 1_000).size();
            return new Verdict(acknowledged.size(), missing(), dead, repeated, (long) kills * PROCESSORS * DEMAND);
        }
    }

    private int missing() {
        return (int)
                acknowledged.stream().filter(id -> !received.containsKey(id)).count();
    }

    private void awaitDeliveries(long wanted) throws InterruptedException {
        long end = System.nanoTime() + DRAIN_LIMIT.toNanos();
        while (deliveries.get() < wanted) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("the server delivered nothing for " + DRAIN_LIMIT);
            }
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    private void awaitAll() throws InterruptedException {
        long end = System.nanoTime() + DRAIN_LIMIT.toNanos();
        while (missing() > 0 && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    /** Publishes one event after the other. An event whose answer is lost is sent again, as a client would. */
    private void publish() {
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        while (publishing) {
            String id = "e-" + ids.incrementAndGet();
            while (publishing && !isAcknowledged(client, id)) {
                Thread.onSpinWait();
            }
        }
    }

    private boolean isAcknowledged(HttpClient client, String id) {
        try {
            if (url.isEmpty()) {
                TimeUnit.MILLISECONDS.sleep(10);
                return false;
            }
            HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/api/v1/events"))
                    .timeout(Duration.ofSeconds(10))
                    .header("content-type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(
                            "{\"id\": \"" + id + "\", \"name\": \"crash.event\", \"source\": \"bench\"}"))
                    .build();
            int status =
                    client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
            if (STORED.contains(status)) {
                acknowledged.add(id);
                return true;
            }
            return false;
        } catch (IOException e) {
            return waited();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            publishing = false;
            return false;
        }
    }

    /** The server is down: the client waits before it tries again. */
    private static boolean waited() {
        try {
            TimeUnit.MILLISECONDS.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    @Override
    public void close() {
        publishing = false;
        receiver.stop(0);
        threads.shutdownNow();
    }
}
