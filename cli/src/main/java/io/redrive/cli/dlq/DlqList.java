package io.redrive.cli.dlq;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.ListOptions;
import io.redrive.cli.terminal.Printable;
import io.redrive.cli.terminal.TextTable;
import io.redrive.cli.terminal.TextTable.Column;
import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetterJson;
import io.redrive.events.LetterFilter;
import io.redrive.operations.LetterOperations;
import io.redrive.operations.Operations;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "list",
        description = "List dead letters, the newest first. With --json without their history, which 'dlq export' has.")
final class DlqList extends LetterCommand {

    @Mixin
    private LetterOptions options = new LetterOptions();

    @Mixin
    private ListOptions list = new ListOptions();

    @Option(names = "--before", paramLabel = "ID", description = "Letters before this id: the next page.")
    private @Nullable Long before;

    @Option(
            names = "--after",
            paramLabel = "ID",
            description = "Letters after this id, the oldest first; --after 0 begins with the oldest of all.")
    private @Nullable Long after;

    DlqList(Context context) {
        super(context);
    }

    @Override
    protected int run(Operations operations) {
        if (before != null && after != null) {
            throw new IllegalArgumentException("--before and --after contradict each other; leave one of them out");
        }
        Instant now = context().time().now();
        LetterFilter filter = options.filter(now);
        LetterOperations letters = operations.letters();
        LetterPages pages = new LetterPages(letters, filter, list.limit());
        LetterPages.Page page = after == null ? letters::newest : letters::oldest;
        long from = after != null ? after : before != null ? before : Long.MAX_VALUE;
        if (list.json()) {
            pages.each(page, from, letter -> say(DeadLetterJson.write(letter)));
            return 0;
        }
        TextTable table = new TextTable(
                Column.right("id"),
                Column.left("dead"),
                Column.elastic("event"),
                Column.right("attempts").droppable(3),
                Column.left("reason").droppable(2),
                Column.left("cause").droppable(1),
                Column.elastic("error"));
        int[] shown = {0};
        long last = pages.each(page, from, letter -> {
            shown[0]++;
            add(table, letter, now);
        });
        if (shown[0] == 0) {
            say(before == null && after == null ? "no dead letters" : "no more dead letters");
            return 0;
        }
        say(table);
        if (!page.from(filter, last, 1).isEmpty()) {
            note(shown[0] + " of " + letters.count(filter) + " shown; the next page: "
                    + (after == null ? "--before " : "--after ") + last);
        }
        return 0;
    }

    private static void add(TextTable table, DeadLetter letter, Instant now) {
        table.add(
                letter.id(),
                Printable.age(letter.deadAt(), now),
                letter.event().name(),
                letter.attempts().failed(),
                letter.reason().code(),
                letter.fingerprint(),
                Printable.error(letter.errorType(), letter.lastError()));
    }
}
