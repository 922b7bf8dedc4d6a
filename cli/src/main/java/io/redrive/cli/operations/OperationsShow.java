package io.redrive.cli.operations;

import io.redrive.cli.command.CommandFailed;
import io.redrive.cli.command.Context;
import io.redrive.cli.command.JsonObject;
import io.redrive.cli.command.ListOptions;
import io.redrive.cli.command.OperationsCommand;
import io.redrive.cli.terminal.Printable;
import io.redrive.cli.terminal.TextTable;
import io.redrive.cli.terminal.TextTable.Column;
import io.redrive.events.DeadLetters;
import io.redrive.events.RedriveOperation;
import io.redrive.events.RedrivePlan;
import io.redrive.events.RedriveState;
import io.redrive.events.RedrivenLetter;
import io.redrive.operations.Operations;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "show", description = "Show a redrive operation: its state, its progress, its causes, its letters.")
final class OperationsShow extends OperationsCommand {

    @Parameters(paramLabel = "ID", description = "The id of the operation, as 'operations list' shows it.")
    private String id = "";

    @Option(names = "--letters", description = "Show the letters with their results.")
    private boolean letters;

    @Option(names = "--after", paramLabel = "ID", description = "With --letters: start after this letter.")
    private long after;

    @Mixin
    private ListOptions list = new ListOptions();

    OperationsShow(Context context) {
        super(context);
    }

    @Override
    protected int run(Operations operations) {
        RedriveOperation operation = operations
                .redrives()
                .find(id)
                .orElseThrow(() -> new CommandFailed("no redrive operation has the id " + Printable.line(id)
                        + "; it may have been dismissed, see: redrive operations list" + onStore()));
        if (!letters) {
            show(operation);
            return 0;
        }
        int limit = list.limitUpTo(DeadLetters.MAX_PAGE);
        List<RedrivenLetter> page = operations.redrives().letters(id, after, limit);
        if (list.json()) {
            page.forEach(letter -> say(json(letter)));
        } else {
            say(table(page));
            if (page.size() == limit) {
                note("more letters: redrive operations show " + operation.id() + " --letters --after "
                        + page.get(limit - 1).letter() + onStore());
            }
        }
        return 0;
    }

    private void show(RedriveOperation operation) {
        if (list.json()) {
            say(OperationText.json(operation));
            return;
        }
        Instant now = context().time().now();
        say(paint().bold("operation " + operation.id() + "  " + OperationText.state(operation)));
        field(
                "letters",
                operation.counts().selected() + " of " + operation.command().about());
        field("progress", OperationText.progress(operation));
        field("plan", plan(operation));
        field("operator", operation.command().operator() + from(operation));
        field("begun", Printable.age(operation.times().created(), now));
        operation.times().ended().ifPresent(ended -> field("ended", Printable.age(ended, now)));
        if (!operation.runner().isEmpty()) {
            field(
                    "last turn",
                    "by " + operation.runner() + ", "
                            + Printable.age(operation.times().changed(), now));
        }
        causes("causes", operation.causes().selected());
        causes("returned", operation.causes().returned());
        if (operation.state() instanceof RedriveState.Halted halted) {
            new TreeSet<>(halted.fingerprints())
                    .forEach(cause -> say(
                            "  look at it with: redrive dlq list --fingerprint " + Printable.line(cause) + onStore()));
        }
    }

    private static String from(RedriveOperation operation) {
        String origin = operation.command().origin();
        return origin.isEmpty() ? "" : " (" + origin + ")";
    }

    private static String plan(RedriveOperation operation) {
        RedrivePlan plan = operation.plan();
        String stages = plan.isCanary()
                ? "canary, stage "
                        + Math.min(operation.pace().stage() + 1, plan.stages().size() + 1) + " of "
                        + (plan.stages().size() + 1)
                : "all at once";
        return plan.perSecond() > 0
                ? stages + String.format(Locale.ROOT, ", at most %s letters per second", plan.perSecond())
                : stages;
    }

    private void causes(String name, Map<String, Long> causes) {
        causes.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
                .limit(10)
                .forEach(cause -> field(name, cause.getValue() + " of " + cause.getKey()));
    }

    private void field(String name, String value) {
        say(paint().faint(String.format(Locale.ROOT, "  %-10s  ", name)) + Printable.line(value));
    }

    private static TextTable table(List<RedrivenLetter> page) {
        TextTable table = new TextTable(
                Column.right("letter"), Column.left("result"), Column.left("event"), Column.elastic("cause"));
        page.forEach(letter ->
                table.add(letter.letter(), letter.result().code(), Printable.line(letter.eventId()), letter.cause()));
        return table;
    }

    private static JsonObject json(RedrivenLetter letter) {
        return new JsonObject()
                .put("letter", letter.letter())
                .put("event", letter.eventId())
                .put("result", letter.result().code())
                .put("cause", letter.cause());
    }
}
