package io.redrive.cli;

import io.redrive.cli.TextTable.Column;
import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetterJson;
import io.redrive.events.DeadLetters;
import io.redrive.events.EventStore;
import io.redrive.events.LetterFilter;
import java.time.Instant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "list",
        description = "List dead letters, the newest first.",
        sortOptions = false,
        exitCodeListHeading = StoreCommand.EXIT_CODES,
        exitCodeList = {StoreCommand.DONE, StoreCommand.FAILED, StoreCommand.WRONG})
final class DlqList extends StoreCommand {

    @Mixin
    private LetterOptions options;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "50",
            description = "How many at most (default: ${DEFAULT-VALUE}).")
    private long limit;

    @Option(names = "--before", paramLabel = "ID", description = "Letters before this id: the next page.")
    private Long before;

    @Option(
            names = "--after",
            paramLabel = "ID",
            description = "Letters after this id, the oldest first; --after 0 begins with the oldest of all.")
    private Long after;

    @Option(names = "--json", description = "One JSON object a line, without history (export has it).")
    private boolean json;

    DlqList(Context context) {
        super(context);
    }

    @Override
    int run(EventStore store) {
        if (limit < 1) {
            throw new IllegalArgumentException("--limit must be at least 1, got " + limit);
        }
        if (before != null && after != null) {
            throw new IllegalArgumentException("--before and --after contradict each other; leave one away");
        }
        Instant now = context.time().now();
        LetterFilter filter = options.filter(now);
        DeadLetters letters = store.deadLetters();
        LetterPages pages = new LetterPages(letters, filter, limit);
        LetterPages.Page page = after == null ? letters::newest : letters::list;
        long from = after != null ? after : before != null ? before : Long.MAX_VALUE;
        if (json) {
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
                DlqShow.error(letter.errorType(), letter.lastError()));
    }
}
