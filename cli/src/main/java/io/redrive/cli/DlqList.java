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
        description = "List dead letters in the order of their ids.",
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

    @Option(
            names = "--after",
            paramLabel = "ID",
            defaultValue = "0",
            description = "Start after this id: the next page.")
    private long after;

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
        Instant now = context.time().now();
        LetterFilter filter = options.filter(now);
        LetterPages pages = new LetterPages(store.deadLetters(), filter, after, limit);
        if (json) {
            pages.each(letter -> say(DeadLetterJson.write(letter)));
            return 0;
        }
        TextTable table = new TextTable(
                Column.right("id"),
                Column.left("dead"),
                Column.elastic("event"),
                Column.right("attempts"),
                Column.left("reason"),
                Column.left("cause"),
                Column.elastic("error"));
        int[] shown = {0};
        long last = pages.each(letter -> {
            shown[0]++;
            add(table, letter, now);
        });
        if (shown[0] == 0) {
            say(after > 0 ? "no more dead letters" : "no dead letters");
            return 0;
        }
        say(table);
        tellRest(store.deadLetters(), filter, shown[0], last);
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

    private void tellRest(DeadLetters letters, LetterFilter filter, int shown, long last) {
        boolean more = !letters.list(filter, last, 1).isEmpty();
        if (more) {
            note(shown + " of " + letters.count(filter) + " shown; the next page: --after " + last);
        }
    }
}
