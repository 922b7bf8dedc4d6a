package io.redrive.pipeline;

import io.redrive.core.DurationText;
import io.redrive.core.PolicyLint;
import io.redrive.core.RetryPolicy;
import io.redrive.events.Event;
import io.redrive.events.Lane;
import io.redrive.events.Priority;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Warns once about settings and events that are allowed but probably a mistake. Refuses nothing. Thread-safe. */
final class EventLint {

    /** The least number of published events to judge the share of critical ones by. */
    static final int ENOUGH_PUBLISHED = 100;

    private static final int MAX_REMEMBERED = 1_000;

    private final Listeners listeners;
    private final Set<String> said = ConcurrentHashMap.newKeySet();
    private final AtomicLong published = new AtomicLong();
    private final AtomicLong critical = new AtomicLong();

    EventLint(Listeners listeners) {
        this.listeners = listeners;
    }

    void check(Profile profile, Instant now) {
        if (profile.lease().compareTo(profile.timeLimit()) < 0) {
            warn(
                    "lease",
                    "the lease of " + DurationText.format(profile.lease())
                            + " is shorter than the handlers' time limit of "
                            + DurationText.format(profile.timeLimit())
                            + "; a process that stalls for longer loses its events to other nodes",
                    now);
        }
        for (Lane lane : new Lane[] {Lane.CRITICAL, Lane.DOMAIN}) {
            BatcherSettings batcher = profile.batcher(lane);
            if (batcher.size() > profile.capacity(lane)) {
                warn(
                        "batch " + lane,
                        "a batch of " + batcher.size() + " never fills: the pipeline holds at most "
                                + profile.capacity(lane) + " events of the lane " + lane
                                + "; raise processors or maxDemand, or lower the batch size",
                        now);
            }
        }
    }

    /**
     * Warns about delays and jitter outside the usual range, and about attempts that never fit the policy's duration.
     */
    void check(EventPolicies policies, Instant now) {
        policies.all()
                .forEach((pattern, policy) -> PolicyLint.warnings(policy)
                        .forEach(warning ->
                                warn("policy " + pattern + warning, "policy for '" + pattern + "': " + warning, now)));
    }

    void check(Event event, RetryPolicy policy, Instant now) {
        if (event.correlationId().isEmpty()) {
            warn("correlation " + event.name(), "event '" + event.name() + "' has no correlationId", now);
        }
        if (event.name().indexOf('.') < 0) {
            warn(
                    "word " + event.name(),
                    "event name '" + event.name() + "' is one word; dotted names such as order.paid choose policies and"
                            + " handlers by pattern",
                    now);
        }
        event.deadline().ifPresent(deadline -> delaysOutlast(event, deadline, policy, now));
        long all = published.incrementAndGet();
        long urgent = event.priority() == Priority.CRITICAL ? critical.incrementAndGet() : critical.get();
        if (all >= ENOUGH_PUBLISHED && urgent * 2 > all) {
            warn("critical", "most events are published as critical, which leaves no lane for the urgent ones", now);
        }
    }

    void unhandled(String name, String warning, Instant now) {
        warn("unhandled " + name, warning, now);
    }

    private void delaysOutlast(Event event, Instant deadline, RetryPolicy policy, Instant now) {
        // The schedule is computed once per name.
        if (said.contains("deadline " + event.name())) {
            return;
        }
        Duration open = Duration.between(event.due(), deadline);
        policy.explain()
                .worstCase()
                .filter(worst -> worst.compareTo(open) > 0)
                .ifPresent(worst -> warn(
                        "deadline " + event.name(),
                        "event '" + event.name() + "' has " + DurationText.format(open)
                                + " until its deadline, but its retries may" + " wait for "
                                + DurationText.format(worst),
                        now));
    }

    private void warn(String key, String warning, Instant now) {
        if (said.size() < MAX_REMEMBERED && said.add(key)) {
            PipelineListener.Lint lint = new PipelineListener.Lint(warning, now);
            listeners.tell(listener -> listener.onLint(lint));
        }
    }
}
