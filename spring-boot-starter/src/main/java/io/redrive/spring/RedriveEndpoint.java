package io.redrive.spring;

import io.redrive.core.Reason;
import io.redrive.core.Time;
import io.redrive.events.DeadLetter;
import io.redrive.events.EventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.LetterGroup;
import io.redrive.events.RedriveRequest;
import io.redrive.events.StoreStats;
import io.redrive.pipeline.Alerts;
import io.redrive.pipeline.Pipeline;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * {@code /actuator/redrive}: how events stand; {@code /groups} and {@code /letters}: dead letters, never their payloads; a
 * write to {@code /redrive} brings letters back, a write to {@code /rebind} reads policies and budgets anew.
 */
@Endpoint(id = "redrive")
public final class RedriveEndpoint {

    private static final int PAGE = 100;
    private static final String OPERATOR = "actuator";

    private final EventStore store;
    private final Pipeline pipeline;
    private final PipelineParts parts;
    private final RedriveSettings settings;
    private final Time time;

    RedriveEndpoint(EventStore store, Pipeline pipeline, PipelineParts parts, RedriveSettings settings, Time time) {
        this.store = store;
        this.pipeline = pipeline;
        this.parts = parts;
        this.settings = settings;
        this.time = time;
    }

    /** How events stand. */
    public record Overview(
            StoreStats events, List<Alerts.State> alerts, Map<String, String> handlers, Map<String, String> policies) {}

    /** A dead letter without its payload. */
    public record Letter(
            long id,
            String event,
            String name,
            String reason,
            String errorType,
            String lastError,
            String fingerprint,
            int attempts,
            Instant deadAt) {

        static Letter of(DeadLetter letter) {
            return new Letter(
                    letter.id(),
                    letter.event().id(),
                    letter.event().name(),
                    letter.reason().code(),
                    letter.errorType(),
                    letter.lastError(),
                    letter.fingerprint(),
                    letter.attempts().failed(),
                    letter.deadAt());
        }
    }

    /** The whole picture. */
    @ReadOperation
    public Overview overview() {
        Map<String, String> policies = new LinkedHashMap<>();
        pipeline.policies().all().forEach((pattern, policy) -> policies.put(pattern.text(), policy.toString()));
        return new Overview(store.stats(time.now()), pipeline.alerts().current(), parts.handlers(), policies);
    }

    /** Dead letters: {@code groups} by cause, or {@code letters} one by one. */
    @ReadOperation
    public List<?> letters(
            @Selector String what, @Nullable String name, @Nullable String reason, @Nullable String fingerprint) {
        LetterFilter filter = filter(name, reason, fingerprint);
        return switch (what) {
            case "groups" -> groups(filter);
            case "letters" ->
                store.deadLetters().list(filter, 0, PAGE).stream()
                        .map(Letter::of)
                        .toList();
            default -> throw wrong("what to read must be groups or letters, got '" + what + "'");
        };
    }

    /**
     * {@code redrive} brings letters back, as many as {@code limit} and those that the filter selects; without a filter
     * {@code all} has to be said. {@code rebind} reads policies and budgets anew.
     */
    @WriteOperation
    public Map<String, Object> act(
            @Selector String action,
            @Nullable String name,
            @Nullable String reason,
            @Nullable String fingerprint,
            @Nullable Boolean all,
            @Nullable Integer limit) {
        return switch (action) {
            case "redrive" -> {
                LetterFilter filter = filter(name, reason, fingerprint);
                if (filter.equals(LetterFilter.ALL) && !Boolean.TRUE.equals(all)) {
                    throw wrong("to redrive needs a name, a reason or a fingerprint; or all = true");
                }
                yield Map.of("redriven", redrive(filter, Given.or(limit, RedriveRequest.MAX_LIMIT)));
            }
            case "rebind" -> {
                settings.rebind();
                yield Map.of("policies", settings.policies().size());
            }
            default -> throw wrong("action must be redrive or rebind, got '" + action + "'");
        };
    }

    private List<LetterGroup> groups(LetterFilter filter) {
        return store.deadLetters().groups(filter, PAGE);
    }

    private int redrive(LetterFilter filter, int limit) {
        try {
            return store.deadLetters()
                    .redrive(new RedriveRequest(
                            filter, limit, "actuator-" + UUID.randomUUID(), OPERATOR, false, time.now()));
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
    }

    private static LetterFilter filter(String name, String reason, String fingerprint) {
        try {
            LetterFilter byName = Given.with(LetterFilter.ALL, name, LetterFilter::withName);
            LetterFilter byReason = Given.with(byName, reason, (filter, code) -> filter.withReason(Reason.of(code)));
            return Given.with(byReason, fingerprint, LetterFilter::withFingerprint);
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
    }

    private static InvalidEndpointRequestException wrong(String message) {
        return new InvalidEndpointRequestException(message, message);
    }
}
