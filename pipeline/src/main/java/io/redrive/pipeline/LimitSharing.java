package io.redrive.pipeline;

import io.redrive.core.AdaptiveLimit;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Divides the bounds of adaptive limits between the live nodes once a second, and tells listeners of limits that changed. */
final class LimitSharing implements Chore {

    private static final Duration EVERY = Duration.ofSeconds(1);

    private final List<Handlers.Registration.Single> handlers;
    private final Members members;
    private final Listeners listeners;
    private final Map<String, Integer> told = new HashMap<>();
    private Instant next = Instant.MIN;

    LimitSharing(List<Handlers.Registration.Single> handlers, Members members, Listeners listeners) {
        this.handlers = handlers;
        this.members = members;
        this.listeners = listeners;
    }

    /** Returns the limits in force, their bounds, and the reasons. */
    static List<ChosenSize> chosen(List<Handlers.Registration.Single> handlers) {
        return handlers.stream()
                .flatMap(handler -> handler.limit().stream()
                        .map(limit -> chosen(handler.pattern().text(), limit)))
                .toList();
    }

    private static ChosenSize chosen(String pattern, AdaptiveLimit limit) {
        return new ChosenSize(
                "handler " + pattern, limit.limit(), ChosenSize.CALLS, limit.least(), limit.most(), limit.why());
    }

    @Override
    public boolean work(Instant now) {
        if (Chore.isDue(next, now, EVERY)) {
            next = now.plus(EVERY);
            for (Handlers.Registration.Single handler : handlers) {
                handler.limit().ifPresent(limit -> share(handler, limit, now));
            }
        }
        return false;
    }

    private void share(Handlers.Registration.Single handler, AdaptiveLimit limit, Instant now) {
        limit.share(members.handling(handler.pattern()));
        String pattern = handler.pattern().text();
        int current = limit.limit();
        Integer before = told.put(pattern, current);
        if (before == null || before != current) {
            PipelineListener.Limited event = new PipelineListener.Limited(pattern, current, now);
            listeners.tell(listener -> listener.onLimit(event));
        }
    }
}
