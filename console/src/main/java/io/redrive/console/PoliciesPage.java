package io.redrive.console;

import io.redrive.core.RetryPolicy;
import io.redrive.core.Schedule;
import io.redrive.core.SettingException;
import io.redrive.events.NamePattern;
import io.redrive.operations.policy.PolicyInForce;
import io.redrive.pipeline.EventPolicies;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.web.servlet.function.ServerResponse;

/** Lists the retry policies in force by pattern: their schedules, where they come from, and warnings. */
final class PoliciesPage {

    /**
     * A policy of the list.
     *
     * @param policy the policy and its origin
     * @param schedule its waits
     * @param drawing its schedule drawn
     * @param decides true when this policy decides the name that the operator asked for
     */
    record Row(PolicyInForce policy, Schedule schedule, ScheduleDrawing drawing, boolean decides) {

        String origin() {
            return switch (policy.origin()) {
                case DEFAULT -> "default";
                case NODE -> "configuration";
                case SHARED -> "shared";
            };
        }

        String style() {
            return policy.origin() == PolicyInForce.Origin.SHARED ? "badge act" : "badge";
        }
    }

    /**
     * The facts of the page.
     *
     * @param rows the policies, the most specific pattern first
     * @param name the event name that the operator asked for; empty for none
     * @param complaint why the shared settings are not in force here; empty when they are
     */
    record View(List<Row> rows, String name, String complaint) {

        /** Returns the first line of the page. */
        String inWords() {
            if (!name.isEmpty()) {
                return rows.stream()
                        .filter(Row::decides)
                        .findFirst()
                        .map(row -> name + " is decided by "
                                + row.policy().pattern().text() + ": "
                                + row.policy().policy() + ".")
                        .orElse("");
            }
            long shared = rows.stream()
                    .filter(row -> row.policy().origin() == PolicyInForce.Origin.SHARED)
                    .count();
            long warnings = rows.stream()
                    .mapToLong(row -> row.schedule().warnings().size())
                    .sum();
            return (rows.size() == 1 ? "1 retry policy" : Format.number(rows.size()) + " retry policies")
                    + (shared == 0
                            ? ", none shared by operators"
                            : ", " + Format.number(shared) + " shared by operators")
                    + (warnings == 0 ? "." : "; " + Format.counted(warnings, "warning") + ".");
        }
    }

    private final Renderer renderer;

    PoliciesPage(Renderer renderer) {
        this.renderer = renderer;
    }

    ServerResponse show(Visit visit) {
        EventPolicies own = visit.policies();
        Map<String, Map<String, String>> shared = visit.operations().policies().shared();
        String name = visit.param("name");
        try {
            return page(visit, PolicyInForce.all(own, shared), name, "");
        } catch (SettingException e) {
            return page(visit, PolicyInForce.all(own, Map.of()), name, String.valueOf(e.getMessage()));
        }
    }

    private ServerResponse page(Visit visit, List<PolicyInForce> policies, String name, String complaint) {
        Optional<NamePattern> decider = policies.stream()
                .map(PolicyInForce::pattern)
                .filter(pattern -> !name.isEmpty() && pattern.matches(name))
                .findFirst();
        List<Row> rows = policies.stream()
                .map(policy ->
                        row(policy, decider.filter(policy.pattern()::equals).isPresent()))
                .toList();
        return renderer.html(visit, "policies", new View(rows, name, complaint));
    }

    private static Row row(PolicyInForce each, boolean decides) {
        RetryPolicy policy = each.policy();
        return new Row(each, policy.explain(), ScheduleDrawing.of(policy, ScheduleDrawing.scaleOf(policy)), decides);
    }
}
