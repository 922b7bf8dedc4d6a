package io.redrive.pipeline;

import io.redrive.core.RetryBudget;
import io.redrive.core.Time;
import io.redrive.events.CauseGrouping;
import io.redrive.events.EventStore;
import io.redrive.events.cause.ServiceVersion;
import io.redrive.events.redaction.Redaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The settings that a {@link Pipeline.Builder} collects, with their defaults. Not changed once the pipeline is built. */
final class PipelineSettings {

    final EventStore store;
    final Handlers handlers = new Handlers();
    final Validators validators = new Validators();
    final Map<String, RetryBudget> budgets = new LinkedHashMap<>();
    final List<PipelineListener> listeners = new ArrayList<>(List.of(new LoggingListener()));
    Profile profile = Profile.STANDARD;
    EventPolicies policies = EventPolicies.defaults();
    ThresholdsInForce thresholds = AlertThresholds.STANDARD;
    AutomaticRedrive automaticRedrive = AutomaticRedrive.STANDARD;
    Redaction redaction = Redaction.NONE;
    CauseGrouping causes = CauseGrouping.NONE;
    Optional<Supplier<Optional<LetterRetention>>> retention = Optional.empty();
    String node = "node-" + UUID.randomUUID();
    String service = "redrive";
    Optional<ServiceVersion> version = Optional.empty();
    /** Null for threads of the pipeline. */
    @Nullable
    Executor executor;

    Executor exchangeExecutor = Runnable::run;
    /** Whether a pipeline that is stepped by hand claims events while they are published, as a running pipeline does. */
    boolean claimsImmediately;

    Time time = Time.system();
    RandomGenerator random = RandomGenerator.getDefault();
    AttemptInterceptor interceptor = AttemptInterceptor.NONE;

    PipelineSettings(EventStore store) {
        this.store = store;
    }

    LetterRules letterRules() {
        return new LetterRules(redaction, causes);
    }

    NodeIdentity identity() {
        return new NodeIdentity(node, service, version);
    }

    PipelineListener.Started started(EventPolicies inForce, Instant now) {
        Map<String, String> described = new LinkedHashMap<>();
        inForce.all().forEach((pattern, policy) -> described.put(pattern.text(), policy.toString()));
        return new PipelineListener.Started(service, node, store.describe(), handlers.described(), described, now);
    }
}
