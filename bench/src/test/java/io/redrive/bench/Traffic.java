package io.redrive.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.StoreException;
import io.redrive.events.StoreStats;
import io.redrive.pipeline.Pipeline;
import io.redrive.pipeline.PipelineListener;
import io.redrive.pipeline.Profile;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A publisher and pipelines on a store with faults. After a failed publish, the publisher publishes the same events again,
 * as a good client does, and duplicates are dropped. In the end every published event was handled, none was settled twice,
 * and the store is empty.
 */
final class Traffic implements AutoCloseable {

    private static final int BULK = 20;
    private static final int BACKLOG = 2_000;
    /** After the end of a fault. */
    private static final Duration RECOVERY = Duration.ofSeconds(60);

    private static final Profile PROFILE =
            Profile.HIGH_THROUGHPUT.withLease(Duration.ofSeconds(5)).withPoisonAfter(100);

    private final EventStore store;
    private final List<Pipeline> pipelines = new ArrayList<>();
    private final Set<String> published = ConcurrentHashMap.newKeySet();
    private final Set<String> handled = ConcurrentHashMap.newKeySet();
    private final Map<String, Integer> done = new ConcurrentHashMap<>();
    private final AtomicInteger troubles = new AtomicInteger();
    private final Thread publisher = new Thread(this::publish, "publisher");
    private volatile boolean publishing = true;

    Traffic(EventStore publishesTo, List<? extends EventStore> nodes) {
        store = publishesTo;
        for (EventStore node : nodes) {
            pipelines.add(Pipeline.on(node)
                    .profile(PROFILE)
                    .on("fault.*", this::handle)
                    .listener(new PipelineListener() {
                        @Override
                        public void onDone(Done event) {
                            done.merge(event.event().id(), 1, Integer::sum);
                        }

                        @Override
                        public void onStoreTrouble(StoreTrouble event) {
                            troubles.incrementAndGet();
                        }
                    })
                    .start());
        }
        publisher.start();
    }

    private void publish() {
        List<Event> bulk = new ArrayList<>();
        while (publishing) {
            while (bulk.size() < BULK) {
                bulk.add(Event.named("fault.event")
                        .source("test")
                        .correlationId("run")
                        .build());
            }
            try {
                store.publish(bulk, Instant.now());
                bulk.forEach(event -> published.add(event.id()));
                bulk.clear();
                // Limits the backlog: the time to work off a large backlog after a fault is not under test.
                awaitSmallBacklog();
            } catch (InterruptedException e) {
                return;
            } catch (StoreException e) {
                troubles.incrementAndGet();
            }
        }
    }

    private void awaitSmallBacklog() throws InterruptedException {
        synchronized (handled) {
            while (publishing && published.size() > handled.size() + BACKLOG) {
                handled.wait(1_000);
            }
        }
    }

    private void handle(Event event) {
        handled.add(event.id());
        synchronized (handled) {
            handled.notifyAll();
        }
    }

    /** Waits until {@code more} further events were handled; returns the events per second. */
    double awaitHandled(int more) {
        int before = handled.size();
        long began = System.nanoTime();
        await().atMost(RECOVERY).until(() -> handled.size() >= before + more);
        return (handled.size() - before) / ((System.nanoTime() - began) / 1e9);
    }

    /** Waits for a second with about the throughput from before the fault; the tolerance allows for a busy machine. */
    void awaitRate(double former) {
        AtomicInteger before = new AtomicInteger(handled.size());
        await().atMost(RECOVERY)
                .pollInterval(Duration.ofSeconds(1))
                .until(() -> handled.size() - before.getAndSet(handled.size()) >= former / 2);
    }

    /** Waits until publisher or pipeline noticed the fault. */
    void awaitTrouble() {
        int before = troubles.get();
        await().atMost(RECOVERY).until(() -> troubles.get() > before);
    }

    /** Ends the publishing; everything published must be settled soon, once. */
    void awaitEnd() throws InterruptedException {
        publishing = false;
        publisher.join();
        await().atMost(RECOVERY).ignoreExceptions().until(() -> {
            StoreStats stats = store.stats(Instant.now());
            return stats.ready() + stats.delayed() + stats.claimed() == 0;
        });
        assertThat(handled).containsAll(published);
        assertThat(done.values()).as("settled as done").containsOnly(1);
        assertThat(store.deadLetters().count(LetterFilter.ALL)).isZero();
    }

    @Override
    public void close() {
        publishing = false;
        pipelines.forEach(Pipeline::close);
    }
}
