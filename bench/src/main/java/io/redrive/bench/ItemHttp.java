package io.redrive.bench;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.redrive.core.Backoff;
import io.redrive.core.HttpStatusException;
import io.redrive.core.Presets;
import io.redrive.core.Time;
import io.redrive.items.Codec;
import io.redrive.items.ItemPipeline;
import io.redrive.items.SampleSource;
import io.redrive.items.Sink;
import io.redrive.items.Stage;
import io.redrive.items.run.Run;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Samples through a stage calling a service on loopback, which refuses every twentieth call with a 429. */
final class ItemHttp implements AutoCloseable {

    private static final int CONCURRENCY = 64;
    private static final int REFUSED_EVERY = 20;

    static {
        // Without this property each answer waits 40 ms for the client's delayed acknowledgement. Read once, by the
        // first
        // server.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private final HttpServer server;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final AtomicInteger calls = new AtomicInteger();
    private final Duration work;

    /** Starts a service whose accepted calls take {@code work}. */
    ItemHttp(Duration work) throws IOException {
        this.work = work;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 2 * CONCURRENCY);
        server.createContext("/", this::serve);
        server.start();
    }

    /** How long a run takes, as a multiple of the work of all samples divided by the calls that may be made at once. */
    double ratioToIdeal(RunStore store, String id, int samples) {
        ItemPipeline<String, String> pipeline =
                ItemPipeline.named("http", Codec.text()).stage(stage()).build();
        long began = System.nanoTime();
        RunRecord end = Run.of(pipeline, store)
                .id(id)
                .from(SampleSource.stream(() -> IntStream.range(0, samples).mapToObj(ItemLoad::sample)))
                .to(Sink.none())
                .run();
        double nanos = System.nanoTime() - began;
        if (end.totals().succeeded() != samples) {
            throw new IllegalStateException("not all samples are through: " + end);
        }
        double ideal = (double) work.toNanos() * samples / CONCURRENCY;
        return nanos / ideal;
    }

    private Stage<String, String> stage() {
        URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
        return Stage.map("ask", (String value) -> {
                    HttpRequest request = HttpRequest.newBuilder(uri)
                            .POST(HttpRequest.BodyPublishers.ofString(value))
                            .build();
                    return HttpStatusException.check(client.send(request, BodyHandlers.ofString()), Time.system())
                            .body();
                })
                .concurrency(CONCURRENCY)
                .policy(Presets.STAGE.toBuilder()
                        .maxAttempts(10)
                        .backoff(Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(10)))
                        .build());
    }

    @Override
    public void close() {
        server.stop(0);
        timer.shutdownNow();
    }

    /** The single thread of the server only accepts requests; a scheduler sends the answers. */
    private void serve(HttpExchange exchange) throws IOException {
        exchange.getRequestBody().readAllBytes();
        if (calls.incrementAndGet() % REFUSED_EVERY == 0) {
            answer(exchange, 429);
        } else {
            timer.schedule(() -> answer(exchange, 200), work.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private static void answer(HttpExchange exchange, int status) {
        try (exchange) {
            exchange.sendResponseHeaders(status, -1);
        } catch (IOException e) {
            // The client sees a broken connection and tries again.
            exchange.close();
        }
    }
}
