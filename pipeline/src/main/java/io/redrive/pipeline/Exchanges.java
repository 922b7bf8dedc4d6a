package io.redrive.pipeline;

import io.redrive.events.ClaimRequest;
import io.redrive.events.EventStore;
import io.redrive.events.Exchange;
import io.redrive.events.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The exchanges with the store that are under way, as many as the store can work on at once. Meanwhile handlers work on
 * claims of earlier exchanges, and settlements gather for the next exchange. Only the coordinator calls this class;
 * exchange threads only add to the queue of ended exchanges.
 *
 * <p>Without threads, which is how tests step a pipeline, an exchange has ended as soon as it has begun.
 */
final class Exchanges {

    private final EventStore store;
    private final int atOnce;
    private final Runnable wake;
    private final List<Order> underWay = new ArrayList<>();
    private final Queue<Result> ended = new ConcurrentLinkedQueue<>();
    private Executor executor;
    /** Null without threads. */
    private @Nullable ExecutorService threads;

    Exchanges(EventStore store, Executor executor, Runnable wake) {
        this.store = store;
        atOnce = store.exchangesAtOnce(1);
        this.executor = executor;
        this.wake = wake;
    }

    /**
     * The content of one exchange.
     *
     * @param ends the claims to settle
     * @param requests the claims to ask for
     * @param now when the exchange begins
     * @param wakes the claimer's count of wakes when it made the requests
     */
    record Order(List<ClaimEnd> ends, List<ClaimRequest> requests, Instant now, long wakes) {}

    /** The result of an exchange. */
    sealed interface Result {

        /** Returns the content of the exchange. */
        Order order();

        /** The store has settled and claimed. */
        record Answered(Order order, Exchange exchange) implements Result {}

        /** The store threw: whether it has settled is not known. */
        record Failed(Order order, Throwable error) implements Result {}
    }

    /** From now on exchanges run on threads. */
    void startThreads() {
        ExecutorService pool = Executors.newFixedThreadPool(atOnce, task -> Threads.daemon(task, "redrive-exchange"));
        threads = pool;
        executor = pool;
    }

    /**
     * Waits for the exchanges under way, {@code limit} at most. Later exchanges run on the caller's thread. Returns
     * false when interrupted.
     */
    boolean stopThreads(Duration limit) {
        executor = Runnable::run;
        if (threads == null) {
            return true;
        }
        threads.shutdown();
        try {
            threads.awaitTermination(limit.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    /** Returns true when exchanges run on threads of their own, and not on the thread of the caller. */
    boolean hasThreads() {
        return executor == threads;
    }

    boolean isIdle() {
        return underWay.isEmpty();
    }

    /**
     * Returns true when this node may have one more exchange under way.
     *
     * @param nodes the number of live nodes that share the store, with this one
     */
    boolean hasRoom(int nodes) {
        return underWay.size() < Math.min(atOnce, store.exchangesAtOnce(nodes));
    }

    /**
     * Removes and returns the ends whose lease has claims that are being settled: a store lets only one exchange at a time settle
     * claims of a lease.
     */
    List<ClaimEnd> removeBusy(List<ClaimEnd> ends) {
        if (isIdle()) {
            return List.of();
        }
        Set<Long> busy = leasesBeingSettled();
        List<ClaimEnd> removed = new ArrayList<>();
        ends.removeIf(end -> busy.contains(end.settlement().claim().token()) && removed.add(end));
        return removed;
    }

    private Set<Long> leasesBeingSettled() {
        return underWay.stream()
                .flatMap(order -> order.ends().stream())
                .map(end -> end.settlement().claim().token())
                .collect(Collectors.toSet());
    }

    void begin(Order order) {
        underWay.add(order);
        executor.execute(() -> {
            ended.add(run(order));
            wake.run();
        });
    }

    private Result run(Order order) {
        try {
            List<Settlement> settlements = new ArrayList<>(order.ends().size());
            order.ends().forEach(end -> settlements.add(end.settlement()));
            return new Result.Answered(order, store.exchange(settlements, order.requests(), order.now()));
        } catch (RuntimeException | Error e) {
            return new Result.Failed(order, e);
        }
    }

    /** Returns the exchanges that ended since the last call. */
    List<Result> ended() {
        List<Result> all = new ArrayList<>();
        for (Result next = ended.poll(); next != null; next = ended.poll()) {
            all.add(next);
            Order order = next.order();
            underWay.removeIf(other -> other == order);
        }
        return all;
    }
}
