package io.redrive.bench;

import io.redrive.core.Time;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.pipeline.BatcherSettings;
import io.redrive.pipeline.EventPolicies;
import io.redrive.pipeline.Pipeline;
import io.redrive.pipeline.Profile;
import io.redrive.server.webhook.WebhookSettings;
import io.redrive.server.webhook.Webhooks;
import io.redrive.server.webhook.http.AddressGuard;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/** Events from publish to a receiver on loopback, and a bare loop of java.net.http that posts the same bodies. */
final class DeliveryLoad {

    static final int CONCURRENCY = 16;
    private static final int BULK = 500;
    /** As the server sets its own batches, for fan-out. */
    private static final BatcherSettings SERVER_BATCHES = new BatcherSettings(5, 100, Duration.ofSeconds(2));

    static final String KEY = "MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";
    private static final String FILLER = "x".repeat(250);

    private DeliveryLoad() {}

    /** Returns events per second from the first publish to the last receipt. */
    static double deliveredPerSecond(EventStore store, int events) throws Exception {
        try (DeliverySink sink = new DeliverySink();
                Webhooks webhooks = webhooks(store, Map.of("bench", sink.url("/")))) {
            CountDownLatch left = new CountDownLatch(events);
            sink.onReceived(body -> left.countDown());
            try (Pipeline pipeline = pipeline(store, webhooks)) {
                long began = System.nanoTime();
                for (int from = 0; from < events; from += BULK) {
                    List<Event> bulk = new ArrayList<>();
                    for (int i = from; i < Math.min(from + BULK, events); i++) {
                        bulk.add(event(body(i)));
                    }
                    pipeline.publish(bulk);
                }
                left.await();
                return events / seconds(began);
            }
        }
    }

    /** Returns requests per second of a bare loop with as many threads as the route has requests at a time. */
    static double barePerSecond(int requests) throws Exception {
        try (DeliverySink sink = new DeliverySink()) {
            HttpClient client =
                    HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
            URI uri = URI.create(sink.url("/"));
            ExecutorService threads = Executors.newFixedThreadPool(CONCURRENCY);
            AtomicInteger next = new AtomicInteger();
            List<Future<?>> loops = new ArrayList<>();
            long began = System.nanoTime();
            try {
                for (int i = 0; i < CONCURRENCY; i++) {
                    loops.add(threads.submit(() -> {
                        post(client, uri, next, requests);
                        return null;
                    }));
                }
                for (Future<?> loop : loops) {
                    loop.get();
                }
                return requests / seconds(began);
            } finally {
                threads.shutdownNow();
            }
        }
    }

    private static void post(HttpClient client, URI uri, AtomicInteger next, int requests) throws Exception {
        for (int i = next.getAndIncrement(); i < requests; i = next.getAndIncrement()) {
            HttpRequest request = HttpRequest.newBuilder(uri)
                    .header("content-type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(body(i)))
                    .build();
            try {
                client.send(request, HttpResponse.BodyHandlers.discarding());
            } catch (IOException e) {
                // One request in some 100,000 meets a connection that the client is just closing: sent once more.
                client.send(request, HttpResponse.BodyHandlers.discarding());
            }
        }
    }

    /**
     * Returns the milliseconds from publish to receipt that 99 % of the events to a healthy destination need, at a steady rate.
     *
     * @param hanging whether a second destination of each event never answers; otherwise it is healthy too
     */
    static double p99(EventStore store, int events, boolean hanging) throws Exception {
        try (DeliverySink sink = new DeliverySink()) {
            Map<String, String> routes = Map.of(
                    "healthy", sink.url("/"), "other", sink.url(hanging ? DeliverySink.HANGS : DeliverySink.OTHER));
            List<Double> millis = new ArrayList<>();
            CountDownLatch left = new CountDownLatch(events);
            sink.onReceived(body -> {
                long sent = Long.parseLong(new String(body, StandardCharsets.UTF_8));
                synchronized (millis) {
                    millis.add((System.nanoTime() - sent) / 1e6);
                }
                left.countDown();
            });
            try (Webhooks webhooks = webhooks(store, routes);
                    Pipeline pipeline = pipeline(store, webhooks)) {
                long began = System.nanoTime();
                for (int i = 0; i < events; i++) {
                    LockSupport.parkNanos(began + i * 5_000_000L - System.nanoTime());
                    pipeline.publish(event(Long.toString(System.nanoTime())));
                }
                left.await();
            }
            synchronized (millis) {
                return millis.stream()
                        .sorted()
                        .skip(events * 99L / 100)
                        .findFirst()
                        .orElseThrow();
            }
        }
    }

    /**
     * Returns the bytes of heap that routes take, each of which has delivered an event: with the routes, less without any.
     *
     * @param routes the number of routes, each for events of a name of its own
     */
    static long heapOfRoutes(EventStore store, int routes) throws Exception {
        try (DeliverySink sink = new DeliverySink()) {
            long before = usedHeap();
            Map<String, String> urls = new HashMap<>();
            for (int i = 0; i < routes; i++) {
                urls.put("route-" + i, sink.url("/"));
            }
            CountDownLatch left = new CountDownLatch(routes);
            sink.onReceived(body -> left.countDown());
            try (Webhooks webhooks = webhooks(store, urls, name -> "bench." + name);
                    Pipeline pipeline = pipeline(store, webhooks)) {
                urls.clear();
                for (int from = 0; from < routes; from += BULK) {
                    List<Event> bulk = new ArrayList<>();
                    for (int i = from; i < Math.min(from + BULK, routes); i++) {
                        bulk.add(Event.named("bench.route-" + i)
                                .source("bench")
                                .json("{}")
                                .build());
                    }
                    pipeline.publish(bulk);
                }
                left.await();
                return Math.max(0, usedHeap() - before);
            }
        }
    }

    private static long usedHeap() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private static Webhooks webhooks(EventStore store, Map<String, String> urls) {
        return webhooks(store, urls, name -> "bench.*");
    }

    private static Webhooks webhooks(EventStore store, Map<String, String> urls, UnaryOperator<String> events) {
        Map<String, Map<String, Object>> routes = new HashMap<>();
        urls.forEach((name, url) -> routes.put(
                name,
                Map.of("events", events.apply(name), "url", url, "plain-http", true, "concurrency", CONCURRENCY)));
        WebhookSettings settings =
                WebhookSettings.read(Map.of("webhooks", Map.of("allow", List.of("127.0.0.1/32")), "routes", routes));
        return new Webhooks(
                store,
                settings,
                new Webhooks.Resources(
                        Map.of("REDRIVE_SECRETS_KEY", KEY),
                        AddressGuard.NameLookup.SYSTEM,
                        Optional.empty(),
                        new SecureRandom(),
                        Time.system()));
    }

    private static Pipeline pipeline(EventStore store, Webhooks webhooks) {
        Pipeline.Builder builder = Pipeline.on(store)
                .profile(Profile.HIGH_THROUGHPUT
                        .withProcessors(64)
                        .withDemand(2, 8)
                        .withDomain(SERVER_BATCHES))
                .policies(EventPolicies.defaults().with(Map.of("webhook.*", Map.of("preset", "webhook"))));
        webhooks.addTo(builder);
        return builder.start();
    }

    private static Event event(String body) {
        return Event.named("bench.event")
                .source("bench")
                .payload(body.getBytes(StandardCharsets.UTF_8), "application/json")
                .build();
    }

    private static String body(int i) {
        return "{\"i\": " + i + ", \"filler\": \"" + FILLER + "\"}";
    }

    private static double seconds(long began) {
        return (System.nanoTime() - began) / 1e9;
    }
}
