package io.redrive.cli.runs;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.ListOptions;
import io.redrive.cli.terminal.Printable;
import io.redrive.cli.terminal.TextTable;
import io.redrive.cli.terminal.TextTable.Column;
import io.redrive.items.store.Balance;
import io.redrive.items.store.RunRecord;
import io.redrive.operations.RunOperations;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "list", description = "List runs, the newest first.")
final class RunsList extends StoredRunsCommand {

    @Option(names = "--pipeline", paramLabel = "NAME", description = "Only runs of this pipeline.")
    private @Nullable String pipeline;

    @Mixin
    private ListOptions list = new ListOptions(20);

    RunsList(Context context) {
        super(context);
    }

    @Override
    int run(RunOperations operations) {
        List<RunRecord> runs = operations.list(Optional.ofNullable(pipeline), list.limitUpTo(RunOperations.MAX_PAGE));
        if (list.json()) {
            runs.forEach(run -> say(RunText.json(run)));
            return 0;
        }
        if (runs.isEmpty()) {
            say("no runs");
            return 0;
        }
        Instant now = context().time().now();
        TextTable table = new TextTable(
                Column.elastic("run"),
                Column.left("status"),
                Column.right("in"),
                Column.right("succeeded"),
                Column.right("skipped"),
                Column.right("dead"),
                Column.right("not started"),
                Column.left("began"),
                Column.right("took"));
        runs.forEach(run -> add(table, run, now));
        say(table);
        return 0;
    }

    private static void add(TextTable table, RunRecord run, Instant now) {
        Balance balance = run.balance();
        table.add(
                run.id(),
                run.status().code(),
                RunText.number(balance.in()),
                RunText.number(balance.succeeded()),
                RunText.number(balance.skipped()),
                RunText.number(balance.dead()),
                RunText.number(balance.notStarted()),
                Printable.age(run.created(), now),
                RunText.took(run));
    }
}
