package io.redrive.pipeline;

import io.redrive.core.AdaptiveLimit;
import io.redrive.core.RetryBudget;
import io.redrive.core.Time;
import io.redrive.events.CauseGrouping;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.PublishResult;
import io.redrive.events.cause.ServiceVersion;
import io.redrive.events.redaction.Redaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Takes events from a store to handlers and settles them: each event is handled at least once and settled exactly once.
 *
 * <pre>{@code
 * try (SqliteStore store = SqliteStore.open(Path.of("orders.db"));
 *         Pipeline pipeline = Pipeline.on(store).on("order.*", event -> ship(event)).start()) {
 *     pipeline.publish(Event.named("order.paid").source("shop").json("{\"order\": 17}").build());
 * }
 * }</pre>
 *
 * <p>Thread-safe, except {@link #step()} and {@link #drain()}, which belong to tests that do not {@link
 * Builder#start()}.
 */
public final class Pipeline implements AutoCloseable {

    /** The time limit of {@link #close()}. */
    public static final Duration STOP_LIMIT = Duration.ofSeconds(10);

    private final PipelineParts parts;
    private final EventStore store;
    private final Time time;
    private final Listeners listeners;
    private final EventLint lint;
    private final Runner runner;
    private final PipelineSettings settings;

    private Pipeline(PipelineParts parts) {
        this.parts = parts;
        settings = parts.settings;
        store = settings.store;
        time = settings.time;
        listeners = parts.listeners;
        lint = parts.lint;
        runner = parts.runner;
        store.onPublished(runner::published);
        lint.check(settings.profile, time.now());
        lint.check(settings.policies, time.now());
    }

    /** Returns a builder for a pipeline on {@code store}, with the standard profile and the default policies. */
    public static Builder on(EventStore store) {
        return new Builder(store);
    }

    /** Publishes one event. The event is durable when this method returns. */
    public PublishResult publish(Event event) {
        return publish(List.of(event)).get(0);
    }

    /** Publishes events in one transaction: all of them or none. The events are durable when this method returns. */
    public List<PublishResult> publish(List<Event> events) {
        return publish(events, parts.immediate::publish);
    }

    /** Publishes events by {@code how}, as in a transaction of the caller; tells listeners whether or not it commits. */
    public List<PublishResult> publish(List<Event> events, BiFunction<List<Event>, Instant, List<PublishResult>> how) {
        Instant now = time.now();
        List<PublishResult> results = how.apply(events, now);
        events.forEach(event -> lint.check(event, policies().policyFor(event.name()), now));
        PipelineListener.Published told = PipelineListener.Published.of(events, results, now);
        listeners.tell(listener -> listener.onPublished(told));
        return results;
    }

    /** Replaces the retry policies of this node, from the next decision on. Shared policies stay in force. */
    public void policies(EventPolicies value) {
        parts.policies.own(Objects.requireNonNull(value, "policies"));
    }

    /**
     * Changes the policies of these patterns on every node of the store, within about a second and also after a
     * restart. Settings change only the keys they name.
     *
     * @param settings for each pattern the keys of {@link EventPolicies#with(Map)}; an empty map removes the shared
     *     settings of the pattern
     * @throws io.redrive.core.SettingException for an unknown key or a bad value; no policy changes then
     */
    public void sharePolicies(Map<String, ? extends Map<String, ?>> settings) {
        SharedPolicies.share(settings, store.notes());
    }

    /** Returns the policies in force: those of this node, changed by the shared policies. */
    public EventPolicies policies() {
        return parts.settler.policies();
    }

    /** Returns the policies of this node, without the changes by the shared policies. */
    public EventPolicies ownPolicies() {
        return parts.policies.own();
    }

    /** Returns the nodes that work on the store, including this node, by name. */
    public List<Member> members() {
        return Member.of(store.notes());
    }

    /**
     * Removes an event that no handler has begun, such as an event published with a delay. Its id may be published
     * again.
     *
     * @param correlationId as published; null for none
     * @return true when the event will not be handled; false when a handler had begun, or the store has no such event
     */
    public boolean cancel(String id, @Nullable String correlationId) {
        return store.cancel(id, correlationId, time.now());
    }

    /** Returns the alerts of this pipeline. */
    public Alerts alerts() {
        return parts.alerts;
    }

    /** Returns whether this pipeline moves events. */
    public PipelineHealth health() {
        return runner.health();
    }

    /** Returns a text for people: the store, the claims that each lane holds and asks for and why, and the adaptive limits. */
    public String describe() {
        return parts.describe();
    }

    /** Adds a listener to a running pipeline. */
    public void listen(PipelineListener listener) {
        listeners.add(Objects.requireNonNull(listener, "listener"));
    }

    /**
     * Moves events on by one step: settles handled events, claims as many events as there is room for, processes,
     * batches, and hands them to handlers. A started pipeline steps in a loop; a test steps by hand.
     *
     * @return true when an event moved
     */
    public boolean step() {
        return runner.step();
    }

    /** Steps until no event moves; for tests with an executor that runs handlers at once. */
    public void drain() {
        while (step()) {
            // Each step may make room for the next step.
        }
    }

    /**
     * Starts a built pipeline, which runs until it is stopped.
     *
     * @throws IllegalStateException when the pipeline runs already or was stopped
     */
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
     * Stops claiming, lets handlers finish their event or batch, interrupts handlers that are busy after nine tenths of
     * {@code limit}, and releases unfinished events: no attempt is spent on them.
     *
     * <p>A started pipeline returns within {@code limit}, or within two seconds where that is longer, even while a
     * handler, a listener or the store hangs. An event that could not be released is ready again when its lease has run
     * out. On a thread of the pipeline, in a listener or a handler, this method returns at once and the pipeline stops
     * in the background; a pipeline that is stepped by hand stops after the step.
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

        /**
         * Handles events whose name fits {@code pattern}, one at a time: done when the action returns, failed when it
         * throws. The most specific pattern wins.
         *
         * @throws IllegalArgumentException when {@code pattern} has a handler already, or is no pattern
         */
        public Builder on(String pattern, EventAction action) {
            noteVersion(action);
            return on(pattern, (event, context) -> action.handle(event));
        }

        /** {@link #on(String, EventAction)} with an action that gets the attempt number and history. */
        public Builder on(String pattern, ContextAction action) {
            noteVersion(action);
            return handle(pattern, (event, context) -> {
                action.handle(event, context);
                return Outcome.done();
            });
        }

        /** Handles events one at a time, with a handler that returns the outcome of each event. */
        public Builder handle(String pattern, EventHandler handler) {
            noteVersion(handler);
            return handle(pattern, (event, context) -> handler.handle(event));
        }

        /** {@link #handle(String, EventHandler)} with a handler that gets the attempt number and history. */
        public Builder handle(String pattern, ContextHandler handler) {
            settings.handlers.single(pattern, handler);
            noteVersion(handler);
            return this;
        }

        /** Handles events of one source in batches. An event that failed before comes alone. */
        public Builder onBatch(String pattern, BatchHandler handler) {
            settings.handlers.batched(pattern, handler);
            noteVersion(handler);
            return this;
        }

        private void noteVersion(Object handler) {
            settings.version = settings.version.or(() -> NodeIdentity.versionOf(handler));
        }

        /**
         * Checks events before their handler, on the handler's thread and within its time limit. An exception makes the
         * event a dead letter, reason {@code invalid_event}; running into the time limit is a failed attempt. An event
         * passes all validators whose pattern fits its name.
         */
        public Builder validate(String pattern, EventAction validator) {
            settings.validators.add(pattern, validator);
            return this;
        }

        /** Lets retries of the pattern's events wait for a token of {@code budget}, at no attempt. Default: no limit. */
        public Builder budget(String pattern, RetryBudget budget) {
            settings.budgets.put(pattern, budget);
            return this;
        }

        /**
         * Limits the calls at once of a handler of single events by {@code limit}, in place of the profile's processors. Live
         * nodes with a handler of {@code pattern} divide the upper bound. Refuses a pattern without such a handler.
         */
        public Builder adaptiveLimit(String pattern, AdaptiveLimit limit) {
            settings.handlers.limit(pattern, Objects.requireNonNull(limit, "limit"));
            return this;
        }

        /** Sets the retry policies by name pattern, in place of {@link EventPolicies#defaults()}. */
        public Builder policies(EventPolicies value) {
            settings.policies = Objects.requireNonNull(value, "policies");
            return this;
        }

        /** Sets sizes and times, in place of {@link Profile#STANDARD}. */
        public Builder profile(Profile value) {
            settings.profile = Objects.requireNonNull(value, "profile");
            return this;
        }

        /** Sets when alerts are raised, in place of {@link AlertThresholds#STANDARD}; asked once a second. */
        public Builder alerts(ThresholdsInForce value) {
            settings.thresholds = Objects.requireNonNull(value, "thresholds");
            return this;
        }

        /** Sets the values that must not be stored in dead letters and error texts: rules of the mode stored; none by default. */
        public Builder redaction(Redaction value) {
            settings.redaction = Objects.requireNonNull(value, "redaction");
            return this;
        }

        /** Sets how causes of dead letters are split and joined; none by default. */
        public Builder causes(CauseGrouping value) {
            settings.causes = Objects.requireNonNull(value, "causes");
            return this;
        }

        /** Exports and deletes dead letters of some age; without a retention, letters are kept for ever. */
        public Builder retention(LetterRetention value) {
            return retention(() -> Optional.of(value));
        }

        /** {@link #retention(LetterRetention)} that may change while the pipeline runs, asked every ten minutes. */
        public Builder retention(Supplier<Optional<LetterRetention>> value) {
            settings.retention = Optional.of(value);
            return this;
        }

        /** Sets which dead letters are redriven automatically, in place of {@link AutomaticRedrive#STANDARD}. */
        public Builder automaticRedrive(AutomaticRedrive value) {
            settings.automaticRedrive = Objects.requireNonNull(value, "automaticRedrive");
            return this;
        }

        /** Adds a listener. The log stays a listener too. */
        public Builder listener(PipelineListener listener) {
            settings.listeners.add(Objects.requireNonNull(listener, "listener"));
            return this;
        }

        /** Adds an interceptor around each attempt, inside the interceptors added before. */
        public Builder interceptor(AttemptInterceptor value) {
            settings.interceptor = settings.interceptor.around(Objects.requireNonNull(value, "interceptor"));
            return this;
        }

        /** Sets the name of this process in claims and history, in place of a random one; refuses a blank or long name. */
        public Builder node(String value) {
            settings.node = ClaimRequest.requireNode(value);
            return this;
        }

        /** Sets the name of the service in dead letters, thread names and metrics, in place of {@code redrive}. */
        public Builder service(String value) {
            settings.service = value;
            return this;
        }

        /**
         * Sets the version of the service, such as {@code 2.4.1}, in place of that in the manifest of the first handler's jar. A
         * cause of dead letters that is fixed in a version is offered for a canary once all nodes have that version.
         */
        public Builder version(String value) {
            settings.version = Optional.of(new ServiceVersion(value));
            return this;
        }

        /** Runs handlers on {@code value}, in place of the pipeline's threads; {@code Runnable::run} for stepping by hand. */
        public Builder executor(Executor value) {
            settings.executor = Objects.requireNonNull(value, "executor");
            return this;
        }

        /** Runs exchanges with the store on {@code value} while the pipeline is stepped by hand, for tests. */
        Builder exchangeExecutor(Executor value) {
            settings.exchangeExecutor = value;
            return this;
        }

        /** Claims events while they are published also while the pipeline is stepped by hand, for tests. */
        Builder claimingImmediately() {
            settings.claimsImmediately = true;
            return this;
        }

        /** Sets the clock, for tests, in place of the system clock. */
        public Builder time(Time clock) {
            settings.time = Objects.requireNonNull(clock, "clock");
            return this;
        }

        /** Sets the random source of jitter, for tests. */
        public Builder random(RandomGenerator generator) {
            settings.random = Objects.requireNonNull(generator, "generator");
            return this;
        }

        /** Builds a pipeline that moves no event until {@link Pipeline#step()} or {@link Pipeline#start()}. */
        public Pipeline build() {
            return new Pipeline(new PipelineParts(settings));
        }

        /** Builds and starts a pipeline that runs until it is closed. */
        public Pipeline start() {
            return build().start();
        }
    }
}
