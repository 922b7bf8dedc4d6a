package io.redrive.micrometer;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import io.micrometer.observation.transport.SenderContext;
import io.redrive.core.Failure;
import io.redrive.events.Claim;
import io.redrive.events.Event;
import io.redrive.pipeline.AttemptInterceptor;
import io.redrive.pipeline.Outcome;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Function;

/**
 * Makes a Micrometer observation of each publication and of each attempt of a handler. With a tracer behind the registry
 * each observation is a span. The trace of the publisher travels in the headers of the event, through the store: every
 * attempt is a child of the publication, and a dead letter keeps its trace. Thread-safe.
 *
 * <pre>{@code
 * EventObservations observations = EventObservations.on(registry, "orders");
 * Pipeline pipeline = Pipeline.on(store).on("order.*", this::ship).interceptor(observations).start();
 * observations.publish(List.of(event), pipeline::publish);
 * }</pre>
 *
 * <p>{@code event.publish} and {@code event.handle} have the low-cardinality keys {@code service} and, for attempts,
 * {@code outcome} (done, retry, dead, invalid, snooze, failed, interrupted). Name, id and attempt number are of high
 * cardinality: on spans, not on meters. A batch of several events is a separate observation without a parent.
 */
public final class EventObservations implements AttemptInterceptor {

    private final ObservationRegistry registry;
    private final String service;

    private EventObservations(ObservationRegistry registry, String service) {
        this.registry = Objects.requireNonNull(registry, "registry");
        this.service = service;
    }

    /** Observations of the pipeline of {@code service}. */
    public static EventObservations on(ObservationRegistry registry, String service) {
        if (service.isBlank()) {
            throw new IllegalArgumentException("service must not be blank");
        }
        return new EventObservations(registry, service);
    }

    /** Publishes these events by {@code how}, with the current trace in their headers. */
    public <T> T publish(List<Event> events, Function<List<Event>, T> how) {
        if (registry.isNoop() || events.isEmpty()) {
            return how.apply(events);
        }
        List<TraceHeaders> carriers = events.stream().map(TraceHeaders::new).toList();
        SenderContext<List<TraceHeaders>> context = new SenderContext<>(
                (unused, key, value) -> carriers.forEach(headers -> headers.set(key, value)), Kind.PRODUCER);
        context.setCarrier(carriers);
        Observation observation = named("event.publish", "publish", events, context);
        return observation.observe(
                () -> how.apply(carriers.stream().map(TraceHeaders::event).toList()));
    }

    @Override
    public Outcome attempt(List<Claim> claims, Callable<Outcome> attempt) throws Exception {
        if (registry.isNoop()) {
            return attempt.call();
        }
        List<Event> events = claims.stream().map(Claim::event).toList();
        Observation observation = named("event.handle", "handle", events, received(events))
                .highCardinalityKeyValue(
                        "attempt", Integer.toString(claims.get(0).attempts().current()));
        observation.start();
        try (Observation.Scope scope = observation.openScope()) {
            Outcome outcome = attempt.call();
            ended(observation, outcome == null ? Outcome.done() : outcome);
            return outcome;
        } catch (Throwable error) {
            ended(observation, Outcome.failed(error));
            throw error;
        } finally {
            observation.stop();
        }
    }

    private static Observation.Context received(List<Event> events) {
        if (events.size() > 1) {
            return new Observation.Context();
        }
        ReceiverContext<Event> context =
                new ReceiverContext<>((event, key) -> event.headers().get(key), Kind.CONSUMER);
        context.setCarrier(events.get(0));
        return context;
    }

    private Observation named(String name, String verb, List<Event> events, Observation.Context context) {
        Event first = events.get(0);
        String others = events.size() == 1 ? "" : " and " + (events.size() - 1) + " more";
        return Observation.createNotStarted(name, () -> context, registry)
                .contextualName(verb + " " + first.name() + others)
                .lowCardinalityKeyValue("service", service)
                .highCardinalityKeyValue("event.name", first.name())
                .highCardinalityKeyValue("event.id", first.id());
    }

    private static void ended(Observation observation, Outcome outcome) {
        observation.lowCardinalityKeyValue("outcome", codeOf(outcome));
        Failure failure = outcome instanceof Outcome.Failed failed
                ? failed.failure()
                : outcome instanceof Outcome.Invalid invalid ? invalid.failure() : null;
        if (failure instanceof Failure.Thrown thrown) {
            observation.error(thrown.error());
        }
    }

    private static String codeOf(Outcome outcome) {
        if (outcome instanceof Outcome.Done) {
            return "done";
        }
        if (outcome instanceof Outcome.Retry) {
            return "retry";
        }
        if (outcome instanceof Outcome.Dead) {
            return "dead";
        }
        if (outcome instanceof Outcome.Invalid) {
            return "invalid";
        }
        if (outcome instanceof Outcome.Snooze) {
            return "snooze";
        }
        return outcome instanceof Outcome.Interrupted ? "interrupted" : "failed";
    }

    /** Adds headers within the limits of an event: a trace must not make an event invalid. */
    private static final class TraceHeaders {
        private final Event.Builder builder;
        private int room;

        TraceHeaders(Event event) {
            builder = event.toBuilder();
            room = Event.MAX_HEADERS - event.headers().size();
        }

        void set(String key, String value) {
            if (room > 0 && value != null && value.length() <= Event.MAX_HEADER_LENGTH) {
                builder.header(key, value);
                room--;
            }
        }

        Event event() {
            return builder.build();
        }
    }
}
