package io.redrive.server.mcp;

import static io.redrive.server.mcp.Views.map;

import io.redrive.core.DurationText;
import io.redrive.core.Schedule;
import io.redrive.events.NamePattern;
import io.redrive.events.activity.Activity;
import io.redrive.events.activity.ActivityQuery;
import io.redrive.events.journal.EventQuery;
import io.redrive.operations.Operations;
import io.redrive.pipeline.EventPolicies;
import io.redrive.server.mcp.AssistantTool.Action;
import io.redrive.server.mcp.AssistantTool.Parameter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The questions of assistants. */
final class ReadingTools {

    private static final int USUAL = 20;
    private static final int MOST = 50;
    private static final int SLICES = 12;
    private static final int NAMES = 30;

    private static final Parameter LIMIT = Parameter.number("limit", "Most rows, 1 to " + MOST + "; usually " + USUAL);
    private static final Parameter FINGERPRINT =
            Parameter.text("fingerprint", "The cause, as list_causes names it").needed();
    private static final Parameter LETTER =
            Parameter.number("letter", "The id of the dead letter").needed();

    private final Supplier<EventPolicies> policies;
    private final Supplier<Instant> clock;

    ReadingTools(Supplier<EventPolicies> policies, Supplier<Instant> clock) {
        this.policies = policies;
        this.clock = clock;
    }

    List<AssistantTool> all() {
        return Stream.of(causeTools(), letterTools(), activityTools(), policyTools(), runTools())
                .flatMap(List::stream)
                .toList();
    }

    private static List<AssistantTool> causeTools() {
        return List.of(
                tool(
                        "list_causes",
                        "Causes of dead letters, the one with the latest letter first: what fails, how often, since when.",
                        List.of(LIMIT),
                        (operations, arguments) -> operations.causes().latest(arguments.limit(USUAL, MOST)).stream()
                                .map(Views::cause)
                                .toList()),
                tool("show_cause", "One cause of dead letters.", List.of(FINGERPRINT), ReadingTools::cause),
                tool(
                        "what_differs",
                        "Compares the dead letters of a cause with handled events of the same name: fields, headers, sources,"
                                + " times and versions that separate them.",
                        List.of(FINGERPRINT),
                        ReadingTools::differences));
    }

    private static List<AssistantTool> letterTools() {
        return List.of(
                tool(
                        "list_letters",
                        "Dead letters, the newest first, without payloads. before is the id of the last letter of the page"
                                + " before.",
                        LetterArguments.with(Parameter.number("before", "Only letters with a smaller id"), LIMIT),
                        (operations, arguments) -> operations
                                .letters()
                                .newest(
                                        LetterArguments.filter(arguments),
                                        arguments.number("before").orElse(Long.MAX_VALUE),
                                        arguments.limit(USUAL, MOST))
                                .stream()
                                .map(Views::letter)
                                .toList()),
                tool(
                        "show_letter",
                        "One dead letter with its payload, headers and the history of its attempts.",
                        List.of(LETTER),
                        (operations, arguments) -> operations
                                .letters()
                                .find(arguments.requiredNumber("letter"))
                                .map(Views::wholeLetter)
                                .orElseThrow(() -> missing("dead letter", arguments.requiredNumber("letter")))),
                tool(
                        "what_is_odd",
                        "Compares one dead letter with handled events of its name: values that hardly any of them has.",
                        List.of(LETTER),
                        (operations, arguments) -> operations
                                .letters()
                                .differences(arguments.requiredNumber("letter"))
                                .map(Views::differences)
                                .orElseThrow(() -> missing("dead letter", arguments.requiredNumber("letter")))));
    }

    private List<AssistantTool> activityTools() {
        return List.of(
                tool(
                        "find_events",
                        "Events in any state, also finished ones: by exactly one of id, correlation_id, ordering_key and name.",
                        List.of(
                                Parameter.text("id", "Id of the event"),
                                Parameter.text("correlation_id", "Correlation id"),
                                Parameter.text("ordering_key", "Ordering key"),
                                Parameter.text("name", "Event name"),
                                LIMIT),
                        (operations, arguments) ->
                                operations.finder().find(query(arguments), arguments.limit(USUAL, MOST)).stream()
                                        .map(Views::found)
                                        .toList()),
                tool(
                        "activity",
                        "How many events were published, done, retried and dead lately, in all and by name.",
                        List.of(
                                Parameter.text("last", "How far back, such as 1h or 7d; usually 1h"),
                                Parameter.text("name", "Event name or pattern, such as order.*")),
                        this::activity),
                tool(
                        "alerts",
                        "Alert thresholds of the store and whether they are exceeded, and how many events are in each state.",
                        List.of(),
                        ReadingTools::alerts));
    }

    private List<AssistantTool> policyTools() {
        return List.of(
                tool(
                        "list_policies",
                        "Retry policies by pattern of event names, and the settings that all nodes share.",
                        List.of(),
                        (operations, arguments) -> map(
                                "policies",
                                        operations.policies().inForce(policies.get()).all().entrySet().stream()
                                                .map(entry -> map(
                                                        "pattern",
                                                                entry.getKey().text(),
                                                        "policy", entry.getValue()))
                                                .toList(),
                                "shared", operations.policies().shared())),
                tool(
                        "explain_policy",
                        "The retry policy of an event name: when each attempt runs, and when an event is given up.",
                        List.of(Parameter.text("name", "Event name").needed()),
                        this::explain));
    }

    private static List<AssistantTool> runTools() {
        return List.of(
                tool(
                        "list_runs",
                        "Runs of item pipelines, the newest first.",
                        List.of(Parameter.text("pipeline", "Only runs of this pipeline"), LIMIT),
                        (operations, arguments) ->
                                operations
                                        .runs()
                                        .list(arguments.text("pipeline"), arguments.limit(USUAL, MOST))
                                        .stream()
                                        .map(Views::run)
                                        .toList()),
                tool(
                        "show_run",
                        "One run of an item pipeline.",
                        List.of(Parameter.text("run", "The id of the run").needed()),
                        (operations, arguments) -> operations
                                .runs()
                                .find(arguments.requiredText("run"))
                                .map(Views::run)
                                .orElseThrow(() -> missing("run", arguments.requiredText("run")))),
                tool(
                        "list_redrives",
                        "Redrive operations, the newest first, with their progress.",
                        List.of(LIMIT),
                        (operations, arguments) -> operations.redrives().list(arguments.limit(USUAL, MOST)).stream()
                                .map(operation -> map(
                                        "operation", operation.id(),
                                        "operator", operation.command().operator(),
                                        "letters", operation.command().about(),
                                        "state", operation.state().code(),
                                        "progress", operation.outcome()))
                                .toList()));
    }

    private static AssistantTool tool(String name, String description, List<Parameter> parameters, Action action) {
        return new AssistantTool(name, description, parameters, false, action);
    }

    static IllegalArgumentException missing(String what, Object id) {
        return new IllegalArgumentException("no " + what + " has the id " + MarkedData.text(String.valueOf(id)));
    }

    private static Object cause(Operations operations, Arguments arguments) {
        String fingerprint = arguments.requiredText("fingerprint");
        return operations.causes().find(fingerprint).map(Views::cause).orElseThrow(() -> missing("cause", fingerprint));
    }

    private static Object differences(Operations operations, Arguments arguments) {
        String fingerprint = arguments.requiredText("fingerprint");
        return operations
                .causes()
                .differences(fingerprint)
                .map(found -> found.names().stream().map(Views::differences).toList())
                .orElseThrow(() -> missing("cause", fingerprint));
    }

    private static EventQuery query(Arguments arguments) {
        List<EventQuery> queries = List.of(
                        arguments.value("id", EventQuery::id),
                        arguments.value("correlation_id", EventQuery::correlationId),
                        arguments.value("ordering_key", EventQuery::orderingKey),
                        arguments.value("name", EventQuery::name))
                .stream()
                .flatMap(Optional::stream)
                .toList();
        if (queries.size() != 1) {
            throw Arguments.wrong(
                    "id", "", "must be given, or correlation_id, ordering_key or name; exactly one of the four");
        }
        return queries.get(0);
    }

    private Object activity(Operations operations, Arguments arguments) {
        Duration last = arguments.value("last", DurationText::parse).orElse(Duration.ofHours(1));
        ActivityQuery whole = ActivityQuery.last(last, clock.get()).inSlices(SLICES);
        ActivityQuery asked = arguments
                .value("name", NamePattern::new)
                .map(pattern -> whole.named(pattern.lowest(), pattern.beyond()))
                .orElse(whole);
        Activity activity = operations.activity().read(asked);
        return map(
                "from", activity.query().from(),
                "until", activity.query().until(),
                "total", Views.totals(activity.total()),
                "slices",
                        activity.slices().stream()
                                .map(slice -> map("start", slice.start(), "totals", Views.totals(slice.totals())))
                                .toList(),
                "names",
                        activity.names().stream()
                                .limit(NAMES)
                                .map(name -> map("name", name.name(), "totals", Views.totals(name.totals())))
                                .toList());
    }

    private static Object alerts(Operations operations, Arguments arguments) {
        var stats = operations.events().stats();
        return map(
                "alerts",
                        operations.activity().alerts().stream()
                                .map(alert -> map(
                                        "alert", alert.kind().code(),
                                        "raised", alert.raised(),
                                        "value", alert.value(),
                                        "threshold", alert.threshold()))
                                .toList(),
                "ready", stats.ready(),
                "claimed", stats.claimed(),
                "dead", stats.dead());
    }

    private Object explain(Operations operations, Arguments arguments) {
        Schedule schedule = operations
                .policies()
                .policyOf(arguments.requiredText("name"), policies.get())
                .explain();
        return map(
                "policy", schedule.policy(),
                "worst_case", schedule.worstCase().map(DurationText::format),
                "attempts",
                        schedule.rows().stream()
                                .map(row -> map(
                                        "attempt", row.attempt(),
                                        "least_ms", row.least().toMillis(),
                                        "most_ms", row.most().toMillis(),
                                        "cumulative_ms", row.cumulative().toMillis()))
                                .toList(),
                "warnings", schedule.warnings());
    }
}
