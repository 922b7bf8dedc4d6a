package io.redrive.cli.runs;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.ListOptions;
import io.redrive.cli.terminal.Printable;
import io.redrive.cli.terminal.TextTable;
import io.redrive.cli.terminal.TextTable.Column;
import io.redrive.items.store.DeadFilter;
import io.redrive.items.store.DeadSample;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.SampleRecord;
import io.redrive.items.store.SampleState;
import io.redrive.operations.RunOperations;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "dead",
        description =
                "List the dead samples of a run, the last to die first. With --json, with their payloads at the stage.")
final class RunsDead extends OneRunCommand {

    private static final int PAGE = 500;

    @Mixin
    private DeadOptions options = new DeadOptions();

    @Mixin
    private ListOptions list = new ListOptions();

    @Option(
            names = "--after",
            paramLabel = "N",
            description = "Start after this dead sample, named by its place in the input: the next page.")
    private @Nullable Long after;

    RunsDead(Context context) {
        super(context);
    }

    @Override
    int run(RunOperations runs, RunRecord run) {
        options.requireStageOf(run);
        Instant now = context().time().now();
        DeadFilter filter = options.narrowed(DeadFilter.ofRun(run.id()), now);
        Optional<DeadSample> start = after == null ? Optional.empty() : Optional.of(deadSample(runs, run.id(), after));
        if (list.json()) {
            each(runs, filter, start, dead -> say(RunText.json(dead)));
            return 0;
        }
        TextTable table = new TextTable(
                Column.right("#"),
                Column.elastic("sample"),
                Column.left("dead"),
                Column.left("stage"),
                Column.right("attempts"),
                Column.left("reason"),
                Column.elastic("error"));
        Optional<DeadSample> last = each(runs, filter, start, dead -> add(table, dead, now));
        if (last.equals(start)) {
            say(after == null ? "no dead samples" : "no more dead samples");
            return 0;
        }
        say(table);
        last.filter(dead -> !runs.dead(filter.after(dead), 1).isEmpty())
                .ifPresent(
                        dead -> note("there are more: --after " + dead.sample().ordinal()));
        return 0;
    }

    /** Passes the dead samples behind {@code start} to {@code action}, page by page, and returns the last of them. */
    private Optional<DeadSample> each(
            RunOperations archive, DeadFilter filter, Optional<DeadSample> start, Consumer<DeadSample> action) {
        Optional<DeadSample> last = start;
        long left = list.limit();
        while (left > 0) {
            List<DeadSample> page = archive.dead(last.map(filter::after).orElse(filter), (int) Math.min(PAGE, left));
            if (page.isEmpty()) {
                break;
            }
            page.forEach(action);
            last = Optional.of(page.get(page.size() - 1));
            left -= page.size();
        }
        return last;
    }

    private static DeadSample deadSample(RunOperations archive, String run, long ordinal) {
        SampleRecord sample = archive.sample(run, ordinal)
                .filter(found -> found.state() == SampleState.DEAD)
                .orElseThrow(() -> new IllegalArgumentException("--after must name a dead sample of run '" + run
                        + "' by its place in the input, got " + ordinal + "; if it was brought back, use --until"));
        return new DeadSample(run, "", "", sample);
    }

    private static void add(TextTable table, DeadSample dead, Instant now) {
        table.add(
                dead.sample().ordinal(),
                dead.sample().id(),
                Printable.age(dead.death().at(), now),
                dead.stage(),
                dead.sample().progress().failed(),
                dead.death().reason().code(),
                Printable.error(dead.death().errorType(), dead.death().message()));
    }
}
