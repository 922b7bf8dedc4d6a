package io.redrive.cli.causes;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.ListOptions;
import io.redrive.cli.command.OperationsCommand;
import io.redrive.cli.terminal.Printable;
import io.redrive.cli.terminal.TextTable;
import io.redrive.cli.terminal.TextTable.Column;
import io.redrive.events.Causes;
import io.redrive.events.cause.CauseStatus;
import io.redrive.operations.CauseView;
import io.redrive.operations.Operations;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(name = "list", description = "List causes, the one with the latest letter first.")
final class CausesList extends OperationsCommand {

    @Option(
            names = "--status",
            paramLabel = "S",
            split = ",",
            description = "Only these: open, assigned, resolved, regressed, ignored.")
    private @Nullable List<String> statuses;

    @Option(names = "--owner", paramLabel = "NAME", description = "Causes of this owner.")
    private @Nullable String owner;

    @Mixin
    private ListOptions list = new ListOptions();

    CausesList(Context context) {
        super(context);
    }

    @Override
    protected int run(Operations operations) {
        Instant now = context().time().now();
        int limit = list.limitUpTo(Causes.MAX_PAGE);
        requireKnown(statuses);
        boolean filtered = statuses != null || owner != null;
        List<CauseView> causes = operations.causes().latest(filtered ? Causes.MAX_PAGE : limit).stream()
                .filter(view ->
                        statuses == null || statuses.contains(view.status().code()))
                .filter(view ->
                        owner == null || owner.equals(view.cause().care().owner()))
                .limit(limit)
                .toList();
        if (list.json()) {
            causes.forEach(view -> say(CauseText.json(view)));
        } else if (causes.isEmpty()) {
            say(filtered ? "no cause matches" : "no causes: no event has died");
        } else {
            say(table(causes, now));
            if (causes.size() == limit) {
                note("at most " + limit + " causes are shown; more with --limit");
            }
        }
        return 0;
    }

    private static void requireKnown(@Nullable List<String> statuses) {
        List<String> known =
                Arrays.stream(CauseStatus.values()).map(CauseStatus::code).toList();
        if (statuses != null && !known.containsAll(statuses)) {
            String wrong =
                    statuses.stream().filter(status -> !known.contains(status)).collect(Collectors.joining(", "));
            throw new IllegalArgumentException(
                    "--status must be one of " + String.join(", ", known) + "; got '" + wrong + "'");
        }
    }

    private static TextTable table(List<CauseView> causes, Instant now) {
        TextTable table = new TextTable(
                Column.left("cause"),
                Column.left("status"),
                Column.right("letters"),
                Column.right("seen").droppable(2),
                Column.left("last"),
                Column.elastic("owner").droppable(1),
                Column.elastic("events").droppable(3),
                Column.elastic("error, for example"));
        causes.forEach(view -> table.add(
                view.cause().fingerprint(),
                view.status().code(),
                view.letters(),
                view.cause().seen(),
                Printable.age(view.cause().lastSeen(), now),
                view.cause().care().owner(),
                String.join(", ", view.cause().names()),
                CauseText.error(view.cause())));
        return table;
    }
}
