package io.redrive.bench;

import io.redrive.core.Backoff;
import io.redrive.core.Jitter;
import io.redrive.core.RetryPolicy;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.pipeline.EventPolicies;
import io.redrive.pipeline.Pipeline;
import io.redrive.pipeline.PipelineListener;
import io.redrive.pipeline.Profile;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;

/** Drives a pipeline on a store: each event is published durably, handled by an empty handler, and settled. */
final class EventLoad {

    static final int PAYLOAD = 300;
    static final int BULK = 500;
    static final String RATE = "events/s";
    static final String P99 = "p99 ms";

    private static final long GIVE_UP_AFTER_SECONDS = 300;
    private static final byte[] BYTES = new byte[PAYLOAD];

    private final EventStore store;
    private final Profile profile;

    /** Load on pipelines with the standard profile, untouched: what a newcomer gets. */
    EventLoad(EventStore store) {
        this(store, Profile.STANDARD);
    }

    EventLoad(EventStore store, Profile profile) {
        this.store = store;
        this.profile = profile;
    }

    /** The same load on pipelines with another profile. */
    EventLoad with(Profile other) {
        return new EventLoad(store, other);
    }

    /** Events per second from the first publish to the last settlement, published {@code bulk} at a time. */
    double eventsPerSecond(int events, int threads, int bulk) throws Exception {
        CountDownLatch done = new CountDownLatch(events);
        try (Pipeline pipeline = pipeline(done).on("bench.*", event -> {}).start()) {
            long start = System.nanoTime();
            publish(pipeline, events, threads, bulk);
            await(done);
            return events / seconds(start);
        }
    }

    /** Events per second of events that wait already, from the start of a pipeline on each node to the last settlement. */
    static double drainPerSecond(List<? extends EventStore> nodes, int events) throws Exception {
        return drainPerSecond(nodes, events, Profile.STANDARD);
    }

    /**
     * {@link #drainPerSecond(List, int)} of nodes that run already and know each other: the events become due while the nodes are
     * idle, and one more event wakes all nodes. It is published beside the pipelines: its publisher's pipeline would claim it
     * at once, and no node would look at the store.
     */
    static double drainByRunningNodes(List<? extends EventStore> nodes, int events) throws Exception {
        CountDownLatch done = new CountDownLatch(events + 1);
        List<Pipeline> pipelines = new ArrayList<>();
        try {
            for (EventStore node : nodes) {
                pipelines.add(new EventLoad(node)
                        .pipeline(done)
                        .on("bench.*", event -> {})
                        .start());
            }
            Duration untilDue = Duration.ofMillis(3_000 + events / 10);
            Instant due = Instant.now().plus(untilDue);
            new EventLoad(nodes.get(0)).addDueAt(events, due);
            // The nodes look for due events once a second by themselves, and must not begin one after the other.
            TimeUnit.MILLISECONDS.sleep(
                    Math.max(0, Duration.between(Instant.now(), due).toMillis()));
            long start = System.nanoTime();
            nodes.get(0).publish(List.of(event()), Instant.now());
            await(done);
            return events / seconds(start);
        } finally {
            pipelines.forEach(Pipeline::close);
        }
    }

    private void addDueAt(int events, Instant due) {
        for (int i = 0; i < events; i += BULK) {
            List<Event> bulk = new ArrayList<>(BULK);
            for (int k = 0; k < Math.min(BULK, events - i); k++) {
                bulk.add(builder().due(due).build());
            }
            store.publish(bulk, Instant.now());
        }
    }

    /** {@link #drainPerSecond(List, int)} with another profile. */
    static double drainPerSecond(List<? extends EventStore> nodes, int events, Profile profile) throws Exception {
        new EventLoad(nodes.get(0)).addWaiting(events, Duration.ZERO);
        CountDownLatch done = new CountDownLatch(events);
        List<Pipeline> pipelines = new ArrayList<>();
        long start = System.nanoTime();
        try {
            for (EventStore node : nodes) {
                pipelines.add(new EventLoad(node, profile)
                        .pipeline(done)
                        .on("bench.*", event -> {})
                        .start());
            }
            await(done);
            return events / seconds(start);
        } finally {
            pipelines.forEach(Pipeline::close);
        }
    }

    /** Figures of latency by metric: from the time at which an event is due to be published to the start of its handler. */
    Map<String, Double> latencies(double perSecond, double seconds) throws Exception {
        OpenLoad load = new OpenLoad(perSecond, seconds);
        try (Pipeline pipeline = Pipeline.on(store)
                .profile(profile)
                .on(
                        "bench.*",
                        event -> load.started(ByteBuffer.wrap(event.payload()).getInt()))
                .start()) {
            return percentiles(load.latencies((from, to) -> {
                List<Event> events = new ArrayList<>(to - from);
                for (int i = from; i < to; i++) {
                    byte[] payload = ByteBuffer.allocate(PAYLOAD).putInt(i).array();
                    events.add(builder()
                            .payload(payload, "application/octet-stream")
                            .build());
                }
                pipeline.publish(events);
            }));
        }
    }

    /** Returns the figures of sorted latencies in milliseconds by metric. */
    static Map<String, Double> percentiles(double[] sorted) {
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put("p50 ms", percentile(sorted, 0.5));
        figures.put(P99, percentile(sorted, 0.99));
        figures.put("p99.9 ms", percentile(sorted, 0.999));
        return figures;
    }

    /** Milliseconds from the call of publish to the start of the handler, in an idle pipeline, sorted. */
    double[] idleLatencies(int events) throws Exception {
        SynchronousQueue<Long> started = new SynchronousQueue<>();
        double[] millis = new double[events];
        try (Pipeline pipeline = Pipeline.on(store)
                .on("bench.*", event -> started.put(System.nanoTime()))
                .start()) {
            for (int i = 0; i < events; i++) {
                long before = System.nanoTime();
                pipeline.publish(event());
                millis[i] = (started.take() - before) / 1e6;
                TimeUnit.MILLISECONDS.sleep(2);
            }
        }
        Arrays.sort(millis);
        return millis;
    }

    /** Seconds for events failing once each, with a retry after 10 ms. */
    double failOnceSeconds(int events) throws Exception {
        CountDownLatch done = new CountDownLatch(events);
        Set<String> failed = ConcurrentHashMap.newKeySet();
        RetryPolicy policy = RetryPolicy.builder()
                .backoff(Backoff.fixed(Duration.ofMillis(10)))
                .jitter(Jitter.none())
                .build();
        try (Pipeline pipeline = pipeline(done)
                .policies(EventPolicies.defaults().with("bench.*", policy))
                .on("bench.*", event -> {
                    if (failed.add(event.id())) {
                        throw new FlakyCall.TransientFailure();
                    }
                })
                .start()) {
            long start = System.nanoTime();
            publish(pipeline, events, 1, BULK);
            await(done);
            return seconds(start);
        }
    }

    /** Adds events due in a day. */
    void addDelayed(int events) {
        addWaiting(events, Duration.ofDays(1));
    }

    private void addWaiting(int events, Duration delay) {
        for (int i = 0; i < events; i += BULK) {
            List<Event> bulk = new ArrayList<>(BULK);
            for (int k = 0; k < Math.min(BULK, events - i); k++) {
                bulk.add(builder().delay(delay).build());
            }
            store.publish(bulk, bulk.get(0).created());
        }
    }

    static double percentile(double[] sorted, double share) {
        return sorted[(int) Math.min(sorted.length - 1L, Math.round(share * sorted.length))];
    }

    static Event event() {
        return builder().build();
    }

    private Pipeline.Builder pipeline(CountDownLatch done) {
        // The suite silences the log: writing a line for each of many thousand retries would dominate the figures.
        return Pipeline.on(store).profile(profile).listener(new PipelineListener() {
            @Override
            public void onDone(Done event) {
                done.countDown();
            }
        });
    }

    private static void publish(Pipeline pipeline, int events, int threads, int bulk) throws Exception {
        ExecutorService publishers = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                int share = events / threads + (t < events % threads ? 1 : 0);
                running.add(publishers.submit(() -> publish(pipeline, share, bulk)));
            }
            for (Future<?> publisher : running) {
                publisher.get();
            }
        } finally {
            publishers.shutdown();
        }
    }

    private static void publish(Pipeline pipeline, int events, int bulk) {
        for (int i = 0; i < events; i += bulk) {
            List<Event> list = new ArrayList<>(bulk);
            for (int k = 0; k < Math.min(bulk, events - i); k++) {
                list.add(event());
            }
            pipeline.publish(list);
        }
    }

    private static Event.Builder builder() {
        return Event.named("bench.event")
                .source("bench")
                .correlationId("run")
                .payload(BYTES, "application/octet-stream");
    }

    private static void await(CountDownLatch done) throws InterruptedException {
        if (!done.await(GIVE_UP_AFTER_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException(
                    done.getCount() + " events were not done after " + GIVE_UP_AFTER_SECONDS + " s");
        }
    }

    private static double seconds(long start) {
        return (System.nanoTime() - start) / 1e9;
    }
}
