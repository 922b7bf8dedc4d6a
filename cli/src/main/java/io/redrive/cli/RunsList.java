package io.redrive.cli;

import io.redrive.cli.TextTable.Column;
import io.redrive.items.store.Balance;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStore;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "list",
        description = "List runs, the newest first.",
        sortOptions = false,
        exitCodeListHeading = StoreCommand.EXIT_CODES,
        exitCodeList = {StoreCommand.DONE, StoreCommand.FAILED, StoreCommand.WRONG})
final class RunsList extends RunStoreCommand {

    @Option(names = "--pipeline", paramLabel = "NAME", description = "Only runs of this pipeline.")
    private String pipeline;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "20",
            description = "How many at most (default: ${DEFAULT-VALUE}).")
    private int limit;

    @Option(names = "--json", description = "One JSON object a line.")
    private boolean json;

    RunsList(Context context) {
        super(context);
    }

    @Override
    int run(RunStore store) {
        if (limit < 1) {
            throw new IllegalArgumentException("--limit must be at least 1, got " + limit);
        }
        List<RunRecord> runs = store.archive()
                .list(Optional.ofNullable(pipeline), limit, context.time().now());
        if (json) {
            runs.forEach(run -> say(RunText.json(run)));
            return 0;
        }
        if (runs.isEmpty()) {
            say("no runs");
            return 0;
        }
        Instant now = context.time().now();
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
