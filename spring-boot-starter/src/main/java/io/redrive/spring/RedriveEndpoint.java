package io.redrive.spring;

import io.redrive.core.Reason;
import io.redrive.core.Time;
import io.redrive.events.DeadLetter;
import io.redrive.events.EventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.LetterGroup;
import io.redrive.events.RedriveRequest;
import io.redrive.events.StoreStats;
import io.redrive.events.redaction.Redaction;
import io.redrive.events.redaction.ShownLetters;
import io.redrive.pipeline.Alerts;
import io.redrive.pipeline.Member;
import io.redrive.pipeline.NamePause;
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
 * {@code GET /actuator/redrive} shows counts of events, nodes, alerts and policies; {@code /groups} and {@code /letters}
 * show dead letters, without payloads. {@code POST /actuator/redrive} redrives dead letters,
 * {@code POST /actuator/redrive/settings} changes policies and budgets.
 */
@Endpoint(id = "redrive")
public final class RedriveEndpoint {

    private static final int PAGE = 100;
    private static final String OPERATOR = "actuator";

    private final EventStore store;
    private final Pipeline pipeline;
    private final PipelineFactory pipelines;
    private final RedriveSettings settings;
    private final Time time;
    private final ShownLetters shown;

    RedriveEndpoint(
            EventStore store,
            Pipeline pipeline,
            PipelineFactory pipelines,
            RedriveSettings settings,
            Time time,
            Redaction redaction) {
        this.store = store;
        this.pipeline = pipeline;
        this.pipelines = pipelines;
        this.settings = settings;
        this.time = time;
        shown = new ShownLetters(store.deadLetters(), redaction);
    }

    /** Counts of events by state, live nodes, alerts, handlers and policies. */
    public record Overview(
            StoreStats events,
            List<Member> nodes,
            List<Alert> alerts,
            Map<String, String> handlers,
            Policies policies) {}

    /** An alert under the code used in metrics and logs. */
    public record Alert(String kind, boolean raised, double value, double threshold, Instant since) {

        static Alert of(Alerts.State state) {
            return new Alert(state.kind().code(), state.raised(), state.value(), state.threshold(), state.since());
        }
    }

    /** The policies in force: of events by pattern, of methods and actors by name. */
    public record Policies(Map<String, String> events, Map<String, String> named) {}

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

    /** Returns the overview. */
    @ReadOperation
    public Overview overview() {
        List<Alert> alerts = pipeline.alerts().current().stream().map(Alert::of).toList();
        return new Overview(
                NamePause.stats(store, time.now()), pipeline.members(), alerts, pipelines.handlers(), policies());
    }

    /** Returns dead letters that match the filter: {@code groups} by cause, or single {@code letters}. */
    @ReadOperation
    public List<?> letters(
            @Selector String what, @Nullable String name, @Nullable String reason, @Nullable String fingerprint) {
        LetterFilter filter = filter(name, reason, fingerprint);
        return switch (what) {
            case "groups" -> groups(filter);
            case "letters" ->
                shown.letters(store.deadLetters().list(filter, 0, PAGE)).stream()
                        .map(Letter::of)
                        .toList();
            default -> throw invalid("the path must end in groups or letters, got '" + what + "'");
        };
    }

    /** Redrives the dead letters that match the filter, or with {@code all} every dead letter; at most {@code limit}. */
    @WriteOperation
    public Map<String, Integer> redrive(
            @Nullable String name,
            @Nullable String reason,
            @Nullable String fingerprint,
            @Nullable Boolean all,
            @Nullable Integer limit) {
        LetterFilter filter = filter(name, reason, fingerprint);
        if (filter.equals(LetterFilter.ALL) && !Boolean.TRUE.equals(all)) {
            throw invalid("redrive needs a name, a reason or a fingerprint, or all = true");
        }
        try {
            int redriven = store.deadLetters()
                    .redrive(new RedriveRequest(
                            filter,
                            OptionalSetting.orDefault(limit, RedriveRequest.MAX_LIMIT),
                            "actuator-" + UUID.randomUUID(),
                            OPERATOR,
                            false,
                            time.now()));
            return Map.of("redriven", redriven);
        } catch (IllegalArgumentException e) {
            throw invalid(e);
        }
    }

    /**
     * {@code settings}: changes the policy or budget setting {@code key} until this process ends, or without a value
     * undoes an earlier change; with {@code reload}, reads policies and budgets from the environment again.
     */
    @WriteOperation
    public Policies settings(
            @Selector String what, @Nullable String key, @Nullable String value, @Nullable Boolean reload) {
        if (!what.equals("settings")) {
            throw invalid("the path must end in settings, got '" + what + "'");
        }
        try {
            if (key != null) {
                settings.change(key, value);
            } else if (Boolean.TRUE.equals(reload)) {
                settings.rebind();
            } else {
                throw invalid(
                        "a change of settings needs a key and a value, or reload = true to read the environment again");
            }
        } catch (IllegalArgumentException e) {
            throw invalid(e);
        }
        return policies();
    }

    private Policies policies() {
        Map<String, String> ofEvents = new LinkedHashMap<>();
        pipeline.policies().all().forEach((pattern, policy) -> ofEvents.put(pattern.text(), policy.toString()));
        Map<String, String> byName = new LinkedHashMap<>();
        settings.policies().forEach((name, policy) -> byName.put(name, policy.toString()));
        return new Policies(ofEvents, byName);
    }

    private List<LetterGroup> groups(LetterFilter filter) {
        return shown.groups(store.deadLetters().groups(filter, PAGE), filter);
    }

    private static LetterFilter filter(@Nullable String name, @Nullable String reason, @Nullable String fingerprint) {
        try {
            LetterFilter byName = OptionalSetting.with("name", LetterFilter.ALL, name, LetterFilter::withName);
            LetterFilter byReason = OptionalSetting.with(
                    "reason", byName, reason, (filter, code) -> filter.withReason(Reason.of(code)));
            return OptionalSetting.with("fingerprint", byReason, fingerprint, LetterFilter::withFingerprint);
        } catch (IllegalArgumentException e) {
            throw invalid(e);
        }
    }

    private static InvalidEndpointRequestException invalid(String message) {
        return new InvalidEndpointRequestException(message, message);
    }

    private static InvalidEndpointRequestException invalid(IllegalArgumentException refusal) {
        String message = String.valueOf(refusal.getMessage());
        return new InvalidEndpointRequestException(message, message, refusal);
    }
}
