package io.redrive.pipeline;

import io.redrive.core.RetryBudget;
import io.redrive.core.Time;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.PublishResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Takes events from a store to handlers and settles them: at least once handled, exactly once settled.
 *
 * <pre>{@code
 * try (SqliteStore store = SqliteStore.open(Path.of("orders.db"));
 *         Pipeline pipeline = Pipeline.on(store).on("order.*", event -> ship(event)).start()) {
 *     pipeline.publish(Event.named("order.paid").source("shop").json("{\"order\": 17}").build());
 * }
 * }</pre>
 *
 * <p>Thread-safe, but for {@link #step()}, which belongs to tests that do not {@link Builder#start()}.
 */
public final class Pipeline implements AutoCloseable {

    /** How long {@link #close()} takes at most. */
    public static final Duration STOP_LIMIT = Duration.ofSeconds(10);

    private final EventStore store;
    private final Time time;
    private final Listeners listeners;
    private final EventLint lint;
    private final Settler settler;
    private final SharedPolicies policies;
    private final Alerts alerts;
    private final Runner runner;
    private final PipelineSettings settings;

    private Pipeline(PipelineParts parts) {
        settings = parts.settings;
        store = settings.store;
        time = settings.time;
        listeners = parts.listeners;
        lint = parts.lint;
        settler = parts.settler;
        policies = parts.policies;
        alerts = parts.alerts;
        runner = parts.runner;
        store.onPublished(runner::published);
        lint.check(settings.profile, time.now());
        lint.check(settings.policies, time.now());
    }

    /** A builder for a pipeline on {@code store}, with the standard profile and the default policies. */
    public static Builder on(EventStore store) {
        return new Builder(store);
    }

    /** Publishes one event; durable when it returns. */
    public PublishResult publish(Event event) {
        return publish(List.of(event)).get(0);
    }

    /** Publishes events in one transaction: all of them or none; durable when it returns. */
    public List<PublishResult> publish(List<Event> events) {
        return publish(events, store::publish);
    }

    /**
     * Publishes events by {@code how}, such as a store's way to do it within a transaction of the caller's; told to the
     * listeners at once, whatever becomes of the transaction.
     */
    public List<PublishResult> publish(List<Event> events, BiFunction<List<Event>, Instant, List<PublishResult>> how) {
        Instant now = time.now();
        List<PublishResult> results = how.apply(events, now);
        List<String> duplicates = IntStream.range(0, results.size())
                .filter(i -> results.get(i).isDuplicate())
                .mapToObj(i -> events.get(i).id())
                .toList();
        events.forEach(event -> lint.check(event, settler.policies().policyFor(event.name()), now));
        PipelineListener.Published told = new PipelineListener.Published(
                results.size() - duplicates.size(),
                duplicates.size(),
                duplicates.stream().limit(PipelineListener.MAX_IDS).toList(),
                now);
        listeners.tell(listener -> listener.onPublished(told));
        return results;
    }

    /** Replaces the retry policies of this node; holds from the next decision on. Shared ones stay above them. */
    public void policies(EventPolicies value) {
        policies.own(Objects.requireNonNull(value, "policies"));
    }

    /**
     * Replaces the policies of these patterns on every node of the store, within about a second and also after a restart.
     *
     * @param settings for each pattern the keys of {@link EventPolicies#with(Map)}; empty ones take a pattern back
     */
    public void sharePolicies(Map<String, ? extends Map<String, ?>> settings) {
        SharedPolicies.share(settings, store.notes());
    }

    /** The policies in use: those of this node, and over them the shared ones. */
    public EventPolicies policies() {
        return settler.policies();
    }

    /** The nodes that work on the store, this one among them, by name. */
    public List<Member> members() {
        return Member.of(store.notes());
    }

    /**
     * Removes an event that no handler has begun, such as one that was published with a delay. Its id may be published again.
     *
     * @param correlationId as published; null for none
     * @return true when the event will not be handled; false when it was begun before, or is not there
     */
    public boolean cancel(String id, String correlationId) {
        return store.cancel(id, correlationId, time.now());
    }

    /** What is watched, and what is alerted. */
    public Alerts alerts() {
        return alerts;
    }

    /** Whether this pipeline moves. */
    public PipelineHealth health() {
        return runner.health();
    }

    /** Adds a listener to a running pipeline. */
    public void listen(PipelineListener listener) {
        listeners.add(Objects.requireNonNull(listener, "listener"));
    }

    /**
     * Moves events on by one step through every station: settle what is handled, claim what there is room for, process,
     * batch, hand to handlers. A started pipeline does this in a loop; a test does it by hand.
     *
     * @return true when anything moved
     */
    public boolean step() {
        return runner.step();
    }

    /** Steps until nothing moves any more; for tests with an executor that runs handlers at once. */
    public void drain() {
        while (step()) {
            // Each step may make room for the next.
        }
    }

    /** Lets a pipeline that was built run until it is stopped; one that was stopped stays so. */
    public Pipeline start() {
        PipelineListener.Started event = settings.started(policies(), time.now());
        runner.start();
        listeners.tell(listener -> listener.onStarted(event));
        return this;
    }

    /** Stops within {@link #STOP_LIMIT}. */
    @Override
    public void close() {
        stop(STOP_LIMIT);
    }

    /**
     * Stops claiming, lets handlers finish the event or batch they have, interrupts those still busy when nine tenths of
     * {@code limit} are over, and gives back what was not finished: no attempt is spent for that.
     *
     * <p>A started pipeline returns within {@code limit}, or within two seconds where that is longer, whatever hangs: a handler, a
     * listener, the store. What could not be given back until then comes back when its lease has run out. Called on a
     * thread of the pipeline's, by a listener or a handler, it returns at once, and the pipeline stops in the background; one
     * that is stepped by hand stops after the step.
     */
    public void stop(Duration limit) {
        runner.stop(limit);
    }

    /** Builds a {@link Pipeline}. Not thread-safe. */
    public static final class Builder {
        private final PipelineSettings settings;

        private Builder(EventStore store) {
            settings = new PipelineSettings(Objects.requireNonNull(store, "store"));
        }

        /** Handles events whose name fits {@code pattern}, each by itself: done when it returns, failed when it throws. */
        public Builder on(String pattern, EventAction action) {
            return on(pattern, (event, context) -> action.handle(event));
        }

        /** {@link #on(String, EventAction)} with an action that is told which attempt this is. */
        public Builder on(String pattern, ContextAction action) {
            return handle(pattern, (event, context) -> {
                action.handle(event, context);
                return Outcome.done();
            });
        }

        /** Handles events, each by itself, with a handler that says what became of them. */
        public Builder handle(String pattern, EventHandler handler) {
            return handle(pattern, (event, context) -> handler.handle(event));
        }

        /** {@link #handle(String, EventHandler)} with a handler that is told which attempt this is. */
        public Builder handle(String pattern, ContextHandler handler) {
            settings.handlers.single(pattern, handler);
            return this;
        }

        /** Handles events of one source in batches; an event that failed before comes alone. */
        public Builder onBatch(String pattern, BatchHandler handler) {
            settings.handlers.batched(pattern, handler);
            return this;
        }

        /**
         * Looks at events before a handler does, on the handler's thread and within its time limit. An exception makes the
         * event a dead letter, {@code invalid_event}; running into the time limit is a failed attempt, as of a handler.
         */
        public Builder validate(String pattern, EventAction validator) {
            settings.validators.add(pattern, validator);
            return this;
        }

        /** Holds back retries of these events to what {@code budget} allows; they wait, they do not die of it. */
        public Builder budget(String pattern, RetryBudget budget) {
            settings.budgets.put(pattern, budget);
            return this;
        }

        /** The retry policies by name pattern. */
        public Builder policies(EventPolicies value) {
            settings.policies = Objects.requireNonNull(value, "policies");
            return this;
        }

        /** The sizes and times. */
        public Builder profile(Profile value) {
            settings.profile = Objects.requireNonNull(value, "profile");
            return this;
        }

        /** When to raise alerts. */
        public Builder alerts(AlertThresholds value) {
            settings.thresholds = Objects.requireNonNull(value, "thresholds");
            return this;
        }

        /** Which dead letters to bring back without being asked. */
        public Builder automaticRedrive(AutomaticRedrive value) {
            settings.automaticRedrive = Objects.requireNonNull(value, "automaticRedrive");
            return this;
        }

        /** Adds a listener, besides the log. */
        public Builder listener(PipelineListener listener) {
            settings.listeners.add(Objects.requireNonNull(listener, "listener"));
            return this;
        }

        /** Puts something around each attempt, inside of what was put there before. */
        public Builder interceptor(AttemptInterceptor value) {
            settings.interceptor = settings.interceptor.around(Objects.requireNonNull(value, "interceptor"));
            return this;
        }

        /** The name of this process in claims and history. */
        public Builder node(String value) {
            settings.node = ClaimRequest.requireNode(value);
            return this;
        }

        /** The name of the service in dead letters and metrics. */
        public Builder service(String value) {
            settings.service = value;
            return this;
        }

        /** Where handlers run, instead of threads of the pipeline's own; {@code Runnable::run} for stepping by hand. */
        public Builder executor(Executor value) {
            settings.executor = Objects.requireNonNull(value, "executor");
            return this;
        }

        /** Where the exchanges with the store run while the pipeline is stepped by hand, for tests. */
        Builder exchangeExecutor(Executor value) {
            settings.exchangeExecutor = value;
            return this;
        }

        /** The clock, for tests. */
        public Builder time(Time clock) {
            settings.time = Objects.requireNonNull(clock, "clock");
            return this;
        }

        /** The source of jitter, for tests. */
        public Builder random(RandomGenerator generator) {
            settings.random = Objects.requireNonNull(generator, "generator");
            return this;
        }

        /** A pipeline that stands still until it is stepped by hand. */
        public Pipeline build() {
            return new Pipeline(new PipelineParts(settings));
        }

        /** A pipeline that runs until it is closed. */
        public Pipeline start() {
            return build().start();
        }
    }
}
