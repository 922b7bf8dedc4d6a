package io.redrive.server.mcp;

import io.redrive.core.DurationText;
import io.redrive.events.RedrivePlan;
import io.redrive.events.cause.ServiceVersion;
import io.redrive.operations.Operations;
import io.redrive.operations.RepairExpression;
import io.redrive.server.mcp.AssistantTool.Parameter;
import java.util.List;
import java.util.stream.Stream;

/** The proposals of assistants. Each answer has the preview: its counts, samples and remarks. */
final class ProposingTools {

    private static final int USUAL = 20;
    private static final int MOST = 50;

    private static final Parameter WHY = Parameter.text(
                    "why", "The reason for the person who decides, in one or two sentences")
            .needed();
    private static final Parameter IDS = new Parameter("ids", "array", "Ids of dead letters; or give a filter", false);
    private static final Parameter LIMIT = Parameter.number("limit", "Only the oldest letters, up to this number");
    private static final Parameter NUMBER =
            Parameter.number("proposal", "The number of the proposal").needed();
    private static final String NO_EFFECT = " Changes nothing: a person approves or rejects the proposal.";

    private ProposingTools() {}

    static List<AssistantTool> all() {
        return Stream.concat(proposing().stream(), following().stream()).toList();
    }

    private static List<AssistantTool> proposing() {
        return List.of(
                new AssistantTool(
                        "propose_repair",
                        "Proposes to change the payloads of dead letters with a JSONata expression, whose result is the new"
                                + " payload." + NO_EFFECT,
                        LetterArguments.with(
                                IDS,
                                LIMIT,
                                Parameter.text("expression", "The JSONata expression")
                                        .needed(),
                                WHY),
                        true,
                        ProposingTools::repair),
                new AssistantTool(
                        "propose_redrive",
                        "Proposes to make the events of dead letters ready again, usually as a canary: 1, then 10, then 100"
                                + " letters, then all others, halting when the cause returns." + NO_EFFECT,
                        LetterArguments.with(
                                IDS,
                                LIMIT,
                                Parameter.truth("all_at_once", "true to send all letters without a canary"),
                                new Parameter("per_second", "number", "The most letters per second", false),
                                Parameter.text("stage_limit", "Time limit of a canary's stage, such as 10m"),
                                WHY),
                        true,
                        ProposingTools::redrive),
                new AssistantTool(
                        "propose_resolve",
                        "Proposes to call a cause resolved." + NO_EFFECT,
                        List.of(
                                Parameter.text("fingerprint", "The cause").needed(),
                                Parameter.text("fixed_in", "The version of the service with the fix"),
                                WHY),
                        true,
                        ProposingTools::resolve));
    }

    private static List<AssistantTool> following() {
        return List.of(
                new AssistantTool(
                        "withdraw_proposal",
                        "Takes an own proposal back.",
                        List.of(NUMBER, Parameter.text("reason", "The reason")),
                        true,
                        (operations, arguments) -> Views.proposal(operations
                                .proposals()
                                .withdraw(
                                        arguments.requiredNumber("proposal"),
                                        arguments.text("reason").orElse("")))),
                new AssistantTool(
                        "list_proposals",
                        "Proposals, the newest first, with their state and the reason of a decision.",
                        List.of(
                                Parameter.truth("open", "true for proposals that wait for a decision"),
                                Parameter.number("before", "Only proposals with a smaller number"),
                                Parameter.number("limit", "Most rows, 1 to " + MOST)),
                        false,
                        (operations, arguments) -> operations
                                .proposals()
                                .list(
                                        arguments.isTrue("open"),
                                        arguments.number("before").orElse(Long.MAX_VALUE),
                                        arguments.limit(USUAL, MOST))
                                .stream()
                                .map(Views::proposal)
                                .toList()),
                new AssistantTool(
                        "show_proposal",
                        "One proposal with its state.",
                        List.of(NUMBER),
                        false,
                        (operations, arguments) -> operations
                                .proposals()
                                .find(arguments.requiredNumber("proposal"))
                                .map(Views::proposal)
                                .orElseThrow(
                                        () -> ReadingTools.missing("proposal", arguments.requiredNumber("proposal")))));
    }

    private static Object repair(Operations operations, Arguments arguments) {
        RepairExpression expression = arguments
                .value("expression", RepairExpression::compile)
                .orElseThrow(() -> Arguments.wrong("expression", "", "must be given"));
        return Views.proposal(operations
                .proposals()
                .repair(LetterArguments.selection(arguments), expression, arguments.requiredText("why")));
    }

    private static Object redrive(Operations operations, Arguments arguments) {
        RedrivePlan chosen = arguments.isTrue("all_at_once") ? RedrivePlan.ALL_AT_ONCE : RedrivePlan.CANARY;
        RedrivePlan timed = arguments
                .value("stage_limit", DurationText::parse)
                .map(chosen::withStageLimit)
                .orElse(chosen);
        RedrivePlan plan =
                arguments.fraction("per_second").map(timed::withPerSecond).orElse(timed);
        return Views.proposal(operations
                .proposals()
                .redrive(LetterArguments.selection(arguments), plan, arguments.requiredText("why")));
    }

    private static Object resolve(Operations operations, Arguments arguments) {
        return Views.proposal(operations
                .proposals()
                .resolve(
                        arguments.requiredText("fingerprint"),
                        arguments.value("fixed_in", ServiceVersion::new),
                        arguments.requiredText("why")));
    }
}
