package io.redrive.events;

import io.redrive.core.Failure;
import io.redrive.core.Presets;
import io.redrive.core.Reason;
import io.redrive.core.Retry;
import io.redrive.core.RetryPolicy;
import io.redrive.core.RetryResult;
import io.redrive.core.RetryableException;
import io.redrive.core.Time;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Retries handlers of any bus, against the race with a store that shows a document later than the event about the
 * document. A handler that throws {@link DocumentNotFoundException} (or another {@link RetryableException}, or a type
 * named by the policy) is called again, in process, with full jitter, until the handler succeeds or attempts or time
 * run out. Any other exception is not a race: the event goes to the dead-letter sink at once and the exception is
 * thrown to the bus.
 *
 * <pre>{@code
 * EventRetry<Message> retry = EventRetry.forService("chunking", sink).policyFromEnvironment(System.getenv()).build();
 * bus.subscribe(message -> retry.handle(this::onParsed, message, IdempotencyKey.of("chunking", message.ids())));
 * }</pre>
 *
 * <p>With {@linkplain Builder#keys a store of keys}, an event whose key was handled is not handled again.
 *
 * <p>Waits hold the thread. For waits that survive the process, publish to a pipeline instead. Immutable and
 * thread-safe.
 *
 * @param <E> the bus's type of events
 */
public final class EventRetry<E> {

    @SuppressWarnings("NullAway") // Void has no value but null.
    private static final RetryResult<@Nullable Void> HANDLED_BEFORE = new RetryResult.Success<>(null, 0, Duration.ZERO);

    private static final Logger LOG = System.getLogger(EventRetry.class.getPackageName());

    private final String service;
    private final DeadLetterSink<E> sink;
    private final RetryPolicy policy;
    private final @Nullable HandledKeys keys;
    private final Duration retention;
    private final List<EventRetryListener> listeners;
    private final Time time;
    private final @Nullable RandomGenerator random;

    private EventRetry(Builder<E> builder) {
        service = builder.service;
        sink = builder.sink;
        policy = builder.policy;
        keys = builder.keys;
        retention = builder.retention;
        listeners = List.copyOf(builder.listeners);
        time = builder.time;
        random = builder.random;
    }

    /**
     * A handler of events.
     *
     * @param <E> the bus's type of events
     * @param <X> the checked exception that the handler may throw
     */
    @FunctionalInterface
    public interface Handler<E, X extends Exception> {

        /** Handles the event once. */
        void handle(E event) throws X;
    }

    /** Returns a builder for handlers of {@code service}; given-up events go to {@code sink}. */
    public static <E> Builder<E> forService(String service, DeadLetterSink<E> sink) {
        return new Builder<>(service, sink);
    }

    /**
     * Handles one event.
     *
     * @param idempotencyKey identifies the event in logs and in the dead-letter sink, and detects a second delivery
     *     of the same event; made from stable ids of the documents, see {@link IdempotencyKey}
     * @return a success, of 0 attempts when the key was handled before; or a failure when attempts or time ran out:
     *     the event is in the sink and the bus need not deliver it again
     * @throws X the handler's exception if it is not retryable (the event is in the sink), or if the thread was
     *     interrupted or the sink failed (the event is not in the sink: the bus must deliver it again)
     */
    public <X extends Exception> RetryResult<@Nullable Void> handle(
            Handler<? super E, X> handler, E event, String idempotencyKey) throws X {
        return handle(handler, event, policy, idempotencyKey);
    }

    /** {@link #handle(Handler, Object, String)} under another policy. */
    public <X extends Exception> RetryResult<@Nullable Void> handle(
            Handler<? super E, X> handler, E event, RetryPolicy policyOfEvent, String idempotencyKey) throws X {
        HandledKeys.require(idempotencyKey);
        if (wasHandled(idempotencyKey)) {
            return HANDLED_BEFORE;
        }
        RetryPolicy races = policyOfEvent.toBuilder()
                .retryOn(RetryableException.class)
                .retryOnResult(value -> false) // A handler returns no value to judge.
                .build();
        EventRetryJournal journal = new EventRetryJournal(this, races, idempotencyKey);
        Retry retry = Retry.with(races).time(time).listener(journal);
        RetryResult<@Nullable Void> result =
                (random == null ? retry : retry.random(random)).run(() -> handler.handle(event));
        if (result instanceof RetryResult.Failure<@Nullable Void> failure) {
            failed(event, failure, journal);
        } else {
            noteHandled(idempotencyKey);
        }
        return result;
    }

    /** A failing store of keys costs at most a second run of a handler and must not stop the handling of events. */
    private boolean wasHandled(String key) {
        if (keys == null) {
            return false;
        }
        try {
            if (!keys.contains(key, time.now())) {
                return false;
            }
        } catch (RuntimeException e) {
            LOG.log(
                    Level.WARNING,
                    () -> "cannot look up idempotency key " + key + ", handling its event: "
                            + Failure.thrown(e).message());
            return false;
        }
        LOG.log(Level.INFO, () -> "Event not handled again, idempotency key: " + key);
        tell(listener -> listener.onDuplicate(new EventRetryListener.Duplicate(service, key)));
        return true;
    }

    private void noteHandled(String key) {
        if (keys == null) {
            return;
        }
        try {
            Instant now = time.now();
            keys.add(key, now.plus(retention), now);
        } catch (RuntimeException e) {
            LOG.log(
                    Level.WARNING,
                    () -> "cannot note idempotency key " + key + ", whose event is handled: "
                            + Failure.thrown(e).message());
        }
    }

    private <X extends Exception> void failed(
            E event, RetryResult.Failure<@Nullable Void> failure, EventRetryJournal journal) throws X {
        Throwable error = Objects.requireNonNull(failure.lastException(), "a handler fails only by an exception");
        if (failure.reason() == Reason.INTERRUPTED) {
            throw EventRetry.<X>thrown(error);
        }
        AbandonedEvent<E> abandoned = journal.abandoned(event, failure, error);
        try {
            sink.accept(abandoned);
        } catch (Exception notKept) {
            if (notKept != error) {
                error.addSuppressed(notKept);
            }
            LOG.log(
                    Level.ERROR,
                    "dead-letter sink of " + service + " failed; event with idempotency key "
                            + abandoned.idempotencyKey() + " goes back to its bus: "
                            + Failure.thrown(notKept).message());
            throw EventRetry.<X>thrown(error);
        }
        journal.sent(abandoned);
        if (!failure.reason().isExhaustion()) {
            throw EventRetry.<X>thrown(error);
        }
    }

    /** A handler throws X or unchecked exceptions only. */
    @SuppressWarnings("unchecked")
    private static <X extends Exception> X thrown(Throwable error) throws X {
        if (error instanceof Error serious) {
            throw serious;
        }
        throw (X) error;
    }

    String service() {
        return service;
    }

    Time time() {
        return time;
    }

    void tell(Consumer<EventRetryListener> event) {
        for (EventRetryListener listener : listeners) {
            try {
                event.accept(listener);
            } catch (RuntimeException e) {
                LOG.log(
                        Level.WARNING,
                        "listener " + listener.getClass().getName() + " threw; ignored: "
                                + Failure.thrown(e).message());
            }
        }
    }

    /**
     * Builds an {@link EventRetry}. Not thread-safe.
     *
     * @param <E> the bus's type of events
     */
    public static final class Builder<E> {
        private final String service;
        private final DeadLetterSink<E> sink;
        private final List<EventRetryListener> listeners = new ArrayList<>();
        private RetryPolicy policy = Presets.VISIBILITY;
        private @Nullable HandledKeys keys;
        private Duration retention = Duration.ofHours(24);
        private Time time = Time.system();
        private @Nullable RandomGenerator random;

        private Builder(String service, DeadLetterSink<E> sink) {
            if (service.isBlank()) {
                throw new IllegalArgumentException("service must not be blank");
            }
            this.service = service;
            this.sink = Objects.requireNonNull(sink, "sink");
        }

        /** Sets the policy. Default: {@link Presets#VISIBILITY}. A {@link RetryableException} is always retried. */
        public Builder<E> policy(RetryPolicy value) {
            policy = Objects.requireNonNull(value, "policy");
            return this;
        }

        /** Sets the policy from {@code RETRY_MAX_ATTEMPTS}, {@code RETRY_TTL_MINUTES} and so on. */
        public Builder<E> policyFromEnvironment(Map<String, String> environment) {
            return policy(RetryPolicy.fromEnvironment(environment));
        }

        /**
         * Sets the store that keeps the keys of handled events for 24 hours. Default: none, and every delivery is
         * handled.
         */
        public Builder<E> keys(HandledKeys store) {
            keys = Objects.requireNonNull(store, "store");
            return this;
        }

        /**
         * Sets the store of keys and how long a key is kept.
         *
         * @throws IllegalArgumentException if the time is not longer than zero
         */
        public Builder<E> keys(HandledKeys store, Duration keptFor) {
            if (keptFor.isNegative() || keptFor.isZero()) {
                throw new IllegalArgumentException("keptFor must be longer than zero, got " + keptFor);
            }
            retention = keptFor;
            return keys(store);
        }

        /** Adds a listener, for metrics. */
        public Builder<E> listener(EventRetryListener listener) {
            listeners.add(Objects.requireNonNull(listener, "listener"));
            return this;
        }

        /** Sets the clock, for tests. Default: {@link Time#system()}. */
        public Builder<E> time(Time clock) {
            time = Objects.requireNonNull(clock, "clock");
            return this;
        }

        /** Sets the source of jitter, for tests. */
        public Builder<E> random(RandomGenerator generator) {
            random = Objects.requireNonNull(generator, "generator");
            return this;
        }

        /** Returns the wrapper. */
        public EventRetry<E> build() {
            return new EventRetry<>(this);
        }
    }
}
