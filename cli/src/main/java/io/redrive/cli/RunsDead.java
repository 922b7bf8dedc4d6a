package io.redrive.cli;

import io.redrive.cli.TextTable.Column;
import io.redrive.items.store.DeadFilter;
import io.redrive.items.store.DeadSample;
import io.redrive.items.store.RunArchive;
import io.redrive.items.store.RunStore;
import io.redrive.items.store.SampleRecord;
import io.redrive.items.store.SampleState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "dead",
        description = "List the dead samples of a run, those that died last first.",
        sortOptions = false,
        exitCodeListHeading = StoreCommand.EXIT_CODES,
        exitCodeList = {StoreCommand.DONE, StoreCommand.FAILED, StoreCommand.WRONG})
final class RunsDead extends RunStoreCommand {

    private static final int PAGE = 500;

    @Parameters(paramLabel = "RUN", description = "The run's id.")
    private String run;

    @Mixin
    private DeadOptions options;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "50",
            description = "How many at most (default: ${DEFAULT-VALUE}).")
    private long limit;

    @Option(
            names = "--after",
            paramLabel = "N",
            description = "Start after this dead sample, named by its place in the input: the next page.")
    private Long after;

    @Option(names = "--json", description = "One JSON object a line, with the payload as it was at the stage.")
    private boolean json;

    RunsDead(Context context) {
        super(context);
    }

    @Override
    int run(RunStore store) {
        if (limit < 1) {
            throw new IllegalArgumentException("--limit must be at least 1, got " + limit);
        }
        options.requireStageOf(RunText.find(store.archive(), run, context.time().now()));
        Instant now = context.time().now();
        TextTable table = new TextTable(
                Column.right("#"),
                Column.elastic("sample"),
                Column.left("dead"),
                Column.left("stage"),
                Column.right("attempts"),
                Column.left("reason"),
                Column.elastic("error"));
        DeadFilter filter = options.narrowed(DeadFilter.ofRun(run), now);
        Optional<DeadSample> last = after == null ? Optional.empty() : Optional.of(startAfter(store.archive()));
        long shown = 0;
        boolean more = true;
        while (more && shown < limit) {
            DeadFilter next = last.map(filter::after).orElse(filter);
            List<DeadSample> page = store.archive().dead(next, (int) Math.min(PAGE, limit - shown));
            for (DeadSample dead : page) {
                if (json) {
                    say(RunText.json(dead));
                } else {
                    add(table, dead, now);
                }
                last = Optional.of(dead);
            }
            shown += page.size();
            more = !page.isEmpty();
        }
        if (!json) {
            tell(table, shown, last, more);
        }
        return 0;
    }

    /** The place in the list at which that sample stands. */
    private DeadSample startAfter(RunArchive archive) {
        SampleRecord sample = archive.sample(run, after)
                .filter(found -> found.state() == SampleState.DEAD)
                .orElseThrow(() -> new IllegalArgumentException("--after must name a dead sample of run '" + run
                        + "' by its place in the input, got " + after + "; if it was brought back, use --until"));
        return new DeadSample(run, "", "", sample);
    }

    private void tell(TextTable table, long shown, Optional<DeadSample> last, boolean more) {
        if (shown == 0) {
            say(after != null ? "no more dead samples" : "no dead samples");
            return;
        }
        say(table);
        if (more) {
            note("there may be more: --after " + last.orElseThrow().sample().ordinal());
        }
    }

    private static void add(TextTable table, DeadSample dead, Instant now) {
        table.add(
                dead.sample().ordinal(),
                dead.sample().id(),
                Printable.age(dead.sample().death().at(), now),
                dead.stage(),
                dead.sample().progress().failed(),
                dead.sample().death().reason().code(),
                dead.sample().death().errorType() + ": " + dead.sample().death().message());
    }
}
