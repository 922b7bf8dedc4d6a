package io.redrive.server.webhook;

import io.redrive.core.RetryAfterHeader;
import io.redrive.core.Time;
import io.redrive.events.Event;
import io.redrive.pipeline.ContextHandler;
import io.redrive.pipeline.EventContext;
import io.redrive.pipeline.Outcome;
import io.redrive.server.webhook.Destinations.Destination;
import io.redrive.server.webhook.http.Answer;
import io.redrive.server.webhook.http.OutgoingRequest;
import io.redrive.server.webhook.http.SendResult;
import io.redrive.server.webhook.http.WebhookClient;
import io.redrive.server.webhook.secret.SealedSecretException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Handles a delivery event: passes the gate of its destination, sends the request, and turns the answer into an outcome. Faults
 * of this side (no name service, no proxy, a secret that cannot be opened) put the event off: no attempt is spent, and the
 * destination is not charged.
 */
final class WebhookDelivery implements ContextHandler {

    private static final Logger LOG = System.getLogger(WebhookDelivery.class.getPackageName());
    private static final Duration OWN_FAULT = Duration.ofSeconds(30);
    /** By then every node knows of the pause. */
    private static final Duration UNTIL_PAUSED = Duration.ofSeconds(5);

    private static final Set<Integer> ASK_FOR_TIME = Set.of(429, 502, 503, 504);
    private static final int GONE = 410;

    private final Destinations destinations;
    private final RequestMaker requests;
    private final WebhookClient client;
    private final DestinationHealth health;
    private final Time time;
    private final AtomicReference<Instant> nextComplaint = new AtomicReference<>(Instant.MIN);

    WebhookDelivery(
            Destinations destinations,
            RequestMaker requests,
            WebhookClient client,
            DestinationHealth health,
            Time time) {
        this.destinations = destinations;
        this.requests = requests;
        this.client = client;
        this.health = health;
        this.time = time;
    }

    @Override
    public Outcome handle(Event event, EventContext context) throws InterruptedException {
        Optional<Destination> found = destinations.ofEvent(event.name());
        if (found.isEmpty()) {
            complain("no route for events named '" + event.name() + "': they wait until a route of that name is back");
            return Outcome.snooze(FanOut.NO_ROUTE);
        }
        if (DeliveryEvents.nameIn(event).isEmpty()) {
            return Outcome.invalid(new IllegalArgumentException(
                    "events named webhook.* are made by routes; publish the event under its own name"));
        }
        Destination destination = found.get();
        DestinationGate.Entry entry = destination.gate().enter();
        if (entry instanceof DestinationGate.Entry.Later later) {
            return Outcome.snooze(later.delay());
        }
        return deliver(destination, event, context, (DestinationGate.Entry.Open) entry);
    }

    private Outcome deliver(
            Destination destination, Event event, EventContext context, DestinationGate.Entry.Open entry)
            throws InterruptedException {
        DestinationGate.Result says = DestinationGate.Result.UNKNOWN;
        try {
            OutgoingRequest request = requests.request(destination.route(), event, context.attempt());
            SendResult result = client.send(request);
            says = gateResult(result);
            return outcome(destination, result);
        } catch (SealedSecretException e) {
            complain(String.valueOf(e.getMessage()));
            return Outcome.snooze(OWN_FAULT);
        } finally {
            destination.gate().leave(entry, says);
        }
    }

    private Outcome outcome(Destination destination, SendResult result) {
        if (result instanceof SendResult.NotSent unsent) {
            complain("nothing is delivered by route '" + destination.route().name() + "': " + unsent.why());
            return Outcome.snooze(OWN_FAULT);
        }
        if (result instanceof SendResult.NotAnswered failed) {
            health.failed(destination.route());
            return Outcome.failed(failed.cause());
        }
        return answered(destination, ((SendResult.Answered) result).answer());
    }

    private Outcome answered(Destination destination, Answer answer) {
        Route route = destination.route();
        Set<String> asked = instructions(answer);
        if (answer.isSuccess()) {
            health.succeeded(route);
            if (asked.contains("disable")) {
                health.disable(route, "the destination asked for it (webhook-delivery: disable)");
            }
            return Outcome.done();
        }
        if (answer.status() == GONE || asked.contains("disable")) {
            String why = answer.status() == GONE
                    ? "the destination answered 410 Gone"
                    : "the destination asked for it (webhook-delivery: disable)";
            if (health.disable(route, why)) {
                return Outcome.snooze(UNTIL_PAUSED);
            }
        }
        if (asked.contains("abort-message")) {
            return Outcome.dead("destination of route '" + route.name() + "' answered status " + answer.status()
                    + " and asked to abort the message (webhook-delivery: abort-message)");
        }
        health.failed(route);
        Optional<Duration> hint =
                answer.header("retry-after").flatMap(text -> RetryAfterHeader.parse(text, time.now()));
        if (ASK_FOR_TIME.contains(answer.status()) || hint.isPresent()) {
            destination.gate().slow(hint.orElse(Duration.ZERO));
        }
        return Outcome.failed(new RefusedDeliveryException(route, answer, hint.orElse(null)));
    }

    private static Set<String> instructions(Answer answer) {
        return answer.header("webhook-delivery")
                .map(text -> List.of(text.toLowerCase(Locale.ROOT).strip().split("\\s*,\\s*")))
                .<Set<String>>map(HashSet::new)
                .orElse(Set.of());
    }

    /** An answer below 500 shows that the destination works, even when it refuses this message. */
    private static DestinationGate.Result gateResult(SendResult result) {
        if (result instanceof SendResult.Answered answered) {
            int status = answered.answer().status();
            return status < 500 && status != 429 && status != 408
                    ? DestinationGate.Result.ALIVE
                    : DestinationGate.Result.BROKEN;
        }
        return result instanceof SendResult.NotSent ? DestinationGate.Result.UNKNOWN : DestinationGate.Result.BROKEN;
    }

    /** Logs at most one complaint in ten seconds: each waiting event would log the same. */
    private void complain(String text) {
        Instant now = time.now();
        Instant due = nextComplaint.get();
        if (!now.isBefore(due) && nextComplaint.compareAndSet(due, now.plusSeconds(10))) {
            LOG.log(Level.WARNING, text);
        }
    }
}
