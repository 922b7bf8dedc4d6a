package io.redrive.server.webhook;

import io.redrive.core.Time;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.PublishResult;
import io.redrive.pipeline.Pipeline;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Takes webhooks of other systems: {@code POST /in/<receiver>}. Stores nothing before the signature is verified. */
@RestController
final class ReceiveController {

    private static final int MAX_BODY = EventStore.DEFAULT_MAX_PAYLOAD;
    private static final int MAX_TEXT = 200;

    private final Webhooks webhooks;
    private final Pipeline pipeline;
    private final Time time;

    ReceiveController(Webhooks webhooks, Pipeline pipeline, Time time) {
        this.webhooks = webhooks;
        this.pipeline = pipeline;
        this.time = time;
    }

    @PostMapping("/in/{name}")
    ResponseEntity<?> receive(@PathVariable("name") String name, HttpServletRequest request) throws IOException {
        Optional<Receiver> receiver = webhooks.receiver(name);
        if (receiver.isEmpty()) {
            return problem(HttpStatus.NOT_FOUND, "no receiver of this name");
        }
        byte[] body = request.getInputStream().readNBytes(MAX_BODY + 1);
        if (body.length > MAX_BODY) {
            return problem(HttpStatus.CONTENT_TOO_LARGE, "the body must have at most " + MAX_BODY + " bytes");
        }
        Receiver.Judgement judgement = receiver.get()
                .check()
                .judge(header -> Optional.ofNullable(request.getHeader(header)), body, time.now());
        if (judgement instanceof Receiver.Judgement.Refused refused) {
            return problem(HttpStatus.UNAUTHORIZED, refused.why());
        }
        Event event = event(receiver.get(), ((Receiver.Judgement.Genuine) judgement).id(), body, request);
        PublishResult result = pipeline.publish(event);
        return ResponseEntity.status(result.isDuplicate() ? HttpStatus.OK : HttpStatus.ACCEPTED)
                .body(Map.of("id", event.id(), "duplicate", result.isDuplicate()));
    }

    private Event event(Receiver receiver, String id, byte[] body, HttpServletRequest request) {
        String own = receiver.name() + ":" + id;
        boolean plain = own.length() <= MAX_TEXT && HeaderRules.isValue(own);
        String kind = receiver.eventHeader()
                .map(request::getHeader)
                .filter(value -> value.matches("[A-Za-z0-9_-]{1,50}"))
                .map(value -> "." + value)
                .orElse("");
        String type = request.getContentType();
        return Event.named(receiver.event() + kind)
                .id(plain ? own : receiver.name() + ":" + DeliveryEvents.hash(own))
                .source(receiver.source())
                .payload(
                        body,
                        type == null || type.isBlank() || type.length() > MAX_TEXT || !HeaderRules.isValue(type)
                                ? "application/octet-stream"
                                : type)
                .header(DeliveryEvents.HOPS, hops(request))
                .time(time)
                .build();
    }

    /** A server that delivers to this receiver counts the servers before. */
    private static String hops(HttpServletRequest request) {
        String hops = request.getHeader(DeliveryEvents.HOPS);
        return hops != null && hops.matches("\\d{1,3}") ? hops : "0";
    }

    private static ResponseEntity<ProblemDetail> problem(HttpStatus status, String detail) {
        return ResponseEntity.status(status).body(ProblemDetail.forStatusAndDetail(status, detail));
    }
}
