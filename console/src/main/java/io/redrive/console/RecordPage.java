package io.redrive.console;

import io.redrive.events.ActionFilter;
import io.redrive.events.OperatorAction;
import io.redrive.operations.Verb;
import java.util.List;
import org.springframework.web.servlet.function.ServerResponse;

/** Shows the record of actions: who did what, when, and how it ended. */
final class RecordPage {

    private static final int ROWS = 200;

    /**
     * The facts of the page.
     *
     * @param actions the rows, the newest first
     * @param verbs the actions to choose from
     */
    record View(List<OperatorAction> actions, List<String> verbs) {}

    private final Renderer renderer;

    RecordPage(Renderer renderer) {
        this.renderer = renderer;
    }

    ServerResponse show(Visit visit) {
        ActionFilter filter = ActionFilter.ALL;
        filter = visit.param("operator").isEmpty() ? filter : filter.withOperator(visit.param("operator"));
        filter = visit.param("action").isEmpty() ? filter : filter.withAction(visit.param("action"));
        filter = visit.param("since").isEmpty()
                ? filter
                : filter.withTime(Scope.time("since", visit.param("since"), visit.now()), null);
        return renderer.html(visit, "record", new View(visit.operations().actions(filter, ROWS), Verb.recorded()));
    }
}
