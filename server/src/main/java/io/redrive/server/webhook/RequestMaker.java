package io.redrive.server.webhook;

import io.redrive.core.Time;
import io.redrive.events.Event;
import io.redrive.server.webhook.http.OutgoingRequest;
import io.redrive.server.webhook.signature.SignedMessage;
import io.redrive.server.webhook.signature.SigningKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Makes the signed request of a delivery event. Thread-safe. */
final class RequestMaker {

    private static final String UNKNOWN_TYPE = "application/octet-stream";

    private final RouteSecrets secrets;
    private final Time time;

    RequestMaker(RouteSecrets secrets, Time time) {
        this.secrets = secrets;
        this.time = time;
    }

    /**
     * Returns the request of an attempt. The message id is the same on every attempt, the timestamp is that of the attempt.
     *
     * @throws io.redrive.server.webhook.secret.SealedSecretException if the secret of the route cannot be opened
     */
    OutgoingRequest request(Route route, Event event, int attempt) {
        byte[] body = event.payload();
        String id = DeliveryEvents.messageIdIn(event);
        long timestamp = time.now().getEpochSecond();
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("content-type", HeaderRules.isValue(event.contentType()) ? event.contentType() : UNKNOWN_TYPE);
        headers.put("webhook-id", id);
        headers.put("webhook-timestamp", Long.toString(timestamp));
        List<SigningKey> keys = secrets.keys(route);
        if (!keys.isEmpty()) {
            SignedMessage message = new SignedMessage(id, timestamp, body);
            headers.put(
                    "webhook-signature",
                    keys.stream().map(key -> key.sign(message)).collect(Collectors.joining(" ")));
        }
        headers.put(DeliveryEvents.NAME, event.headers().getOrDefault(DeliveryEvents.NAME, event.name()));
        headers.put("redrive-attempt", Integer.toString(attempt));
        headers.put(DeliveryEvents.HOPS, Integer.toString(DeliveryEvents.hops(event) + 1));
        route.headers().forwarded().forEach(name -> {
            String value = event.headers().get(name);
            if (value != null && HeaderRules.isValue(value)) {
                headers.put(name, value);
            }
        });
        route.headers().fixed().forEach((name, value) -> headers.put(name, value.text()));
        return new OutgoingRequest(
                route.target().url(), headers, body, route.limits().timeLimit());
    }
}
