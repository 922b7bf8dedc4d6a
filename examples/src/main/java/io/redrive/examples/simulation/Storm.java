package io.redrive.examples.simulation;

import io.redrive.core.CircuitBreaker;
import io.redrive.core.Failure;
import io.redrive.core.ManualTime;
import io.redrive.core.RetryBudget;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;

/**
 * A server loses most of its capacity for a while, under a constant load of calls.
 *
 * <p>Calls arrive as a Poisson stream. The server takes requests one by one from a bounded queue, each for an exponentially
 * distributed time; a full queue answers 503 at once. A client waits for an answer until its timeout; the server does not
 * notice the timeout and still works on the request. Hence overload lasts: a queue longer than the clients' timeout yields
 * only answers too late to be read.
 */
public final class Storm {

    private static final Failure TIMEOUT = Failure.kind("timeout");
    private static final Failure REJECTED = Failure.status(503);

    private final Setting setting;
    private final StormClients clients;
    private final Timeline timeline;
    private final ManualTime time = new ManualTime();
    private final SplittableRandom random;
    private final Optional<RetryBudget> budget;
    private final Optional<CircuitBreaker> breaker;
    private final Queue<Request> queue = new ArrayDeque<>();
    private boolean busy;

    private Storm(Setting setting, StormClients clients, long seed) {
        this.setting = setting;
        this.clients = clients;
        this.timeline = new Timeline(setting.seconds());
        this.random = new SplittableRandom(seed);
        this.budget = clients.hasBudget() ? Optional.of(RetryBudget.of("storm")) : Optional.empty();
        this.breaker = clients.hasBreaker()
                ? Optional.of(CircuitBreaker.builder("storm").time(time).build())
                : Optional.empty();
    }

    /**
     * The server and its load.
     *
     * @param load calls per second
     * @param capacity requests the server finishes per second
     * @param cutTo the share of the capacity left between the seconds {@code cutFrom} and {@code cutUntil}
     * @param queue how many requests may wait
     * @param timeout how long a client waits for an answer
     * @param seconds how long the simulation goes on
     */
    public record Setting(
            double load,
            double capacity,
            double cutTo,
            int cutFrom,
            int cutUntil,
            int queue,
            Duration timeout,
            int seconds) {

        /** 80 % load; 30 % of the capacity from second 30 to 50; a queue of 2 s of work; a client timeout of 1 s. */
        public static Setting usual() {
            return new Setting(800, 1_000, 0.3, 30, 50, 2_000, Duration.ofSeconds(1), 250);
        }

        /** Returns the setting with another length of the queue. */
        public Setting withQueue(int requests) {
            return new Setting(load, capacity, cutTo, cutFrom, cutUntil, requests, timeout, seconds);
        }
    }

    /** Runs the simulation. */
    public static Timeline run(Setting setting, StormClients clients, long seed) {
        Storm storm = new Storm(setting, clients, seed);
        storm.arriveLater();
        storm.time.advance(Duration.ofSeconds(setting.seconds()));
        return storm.timeline;
    }

    private static final class Request {
        private final Caller caller;
        private final long permit;
        private boolean settled;

        Request(Caller caller, long permit) {
            this.caller = caller;
            this.permit = permit;
        }
    }

    private void arriveLater() {
        time.schedule(exponential(setting.load()), () -> {
            arrive();
            arriveLater();
        });
    }

    private void arrive() {
        timeline.call(second());
        long permit = breaker.map(CircuitBreaker::tryEnter).orElse(0L);
        if (permit != CircuitBreaker.REFUSED) {
            send(new Caller(clients.policy(), budget, time, random), permit);
        }
    }

    private void send(Caller caller, long permit) {
        timeline.attempt(second(), caller.attempt() == 1);
        if (queue.size() >= setting.queue()) {
            failed(caller, permit, REJECTED);
            return;
        }
        Request request = new Request(caller, permit);
        queue.add(request);
        time.schedule(setting.timeout(), () -> {
            if (!request.settled) {
                request.settled = true;
                failed(caller, permit, TIMEOUT);
            }
        });
        serve();
    }

    private void serve() {
        Request next = busy ? null : queue.poll();
        if (next == null) {
            return;
        }
        busy = true;
        boolean cut = second() >= setting.cutFrom() && second() < setting.cutUntil();
        time.schedule(exponential(setting.capacity() * (cut ? setting.cutTo() : 1)), () -> {
            busy = false;
            answered(next);
            serve();
        });
    }

    private void answered(Request request) {
        if (request.settled) {
            timeline.wasted(second());
            return;
        }
        request.settled = true;
        timeline.success(second());
        breaker.ifPresent(fuse -> fuse.succeeded(request.permit));
    }

    private void failed(Caller caller, long permit, Failure failure) {
        Optional<Duration> wait = caller.afterFailure(failure);
        if (wait.isPresent()) {
            time.schedule(wait.get(), () -> send(caller, permit));
        } else {
            breaker.ifPresent(fuse -> fuse.failed(permit, null));
        }
    }

    private int second() {
        return (int) (time.nanos() / 1_000_000_000L);
    }

    private Duration exponential(double perSecond) {
        return Duration.ofNanos(Math.round(-Math.log(1 - random.nextDouble()) / perSecond * 1e9));
    }
}
