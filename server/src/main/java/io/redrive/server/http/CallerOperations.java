package io.redrive.server.http;

import io.redrive.core.Time;
import io.redrive.events.EventStore;
import io.redrive.events.redaction.Redaction;
import io.redrive.items.store.RunStore;
import io.redrive.operations.Operations;
import io.redrive.operations.WebhookRoutes;
import io.redrive.pipeline.ThresholdsInForce;
import io.redrive.server.access.Caller;
import io.redrive.server.config.CurrentProperties;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.stereotype.Component;

/** Gives each request the operations of its caller. */
@Component
class CallerOperations {

    private final EventStore store;
    private final RunStore runs;
    private final WebhookRoutes routes;
    private final Time time;
    private final CurrentProperties current;
    private final Redaction redaction;
    private final ThresholdsInForce thresholds;

    CallerOperations(
            EventStore store,
            RunStore runs,
            WebhookRoutes routes,
            Time time,
            CurrentProperties current,
            Redaction redaction,
            ThresholdsInForce thresholds) {
        this.store = store;
        this.runs = runs;
        this.routes = routes;
        this.time = time;
        this.current = current;
        this.redaction = redaction;
        this.thresholds = thresholds;
    }

    Operations of(HttpServletRequest request) {
        return Operations.of(store, Caller.of(request).operator(), time)
                .withRuns(runs)
                .withRoutes(routes)
                .showing(redaction)
                .withAlerts(thresholds);
    }

    Time time() {
        return time;
    }

    /** Returns the number of rows to answer with. */
    int limit(Query query) {
        return query.limit(100, current.get().limits().page());
    }

    /** Returns the most rows of one answer. */
    int mostRows() {
        return current.get().limits().page();
    }

    int mostEvents() {
        return current.get().limits().events();
    }
}
