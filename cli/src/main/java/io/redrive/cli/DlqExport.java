package io.redrive.cli;

import io.redrive.events.DeadLetterJson;
import io.redrive.events.DeadLetters;
import io.redrive.events.EventStore;
import io.redrive.events.LetterFilter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "export",
        description = "Write dead letters with their history as JSON lines; all of them without a filter. They stay.",
        sortOptions = false,
        exitCodeListHeading = StoreCommand.EXIT_CODES,
        exitCodeList = {StoreCommand.DONE, StoreCommand.FAILED, StoreCommand.WRONG})
final class DlqExport extends StoreCommand {

    @Parameters(paramLabel = "ID", arity = "0..*", description = "Letters by id.")
    private List<Long> ids;

    @Mixin
    private LetterOptions options;

    @Option(names = "--limit", paramLabel = "N", description = "At most so many, the oldest first.")
    private Long limit;

    @Option(
            names = "--out",
            paramLabel = "FILE",
            required = true,
            description = "Where to; - for standard output. The file is there once it is complete.")
    private String target;

    @Option(names = "--force", description = "Replace the file when it exists.")
    private boolean force;

    DlqExport(Context context) {
        super(context);
    }

    @Override
    int run(EventStore store) throws IOException {
        if (limit != null && limit < 1) {
            throw new IllegalArgumentException("--limit must be at least 1, got " + limit);
        }
        LetterFilter filter = options.filter(ids, context.time().now());
        LetterPages pages = new LetterPages(store.deadLetters(), filter, 0, limit == null ? Long.MAX_VALUE : limit);
        if (target.equals("-")) {
            note(letters(write(store.deadLetters(), pages, out())) + " exported");
            return 0;
        }
        Path file = Path.of(target).toAbsolutePath();
        if (Files.exists(file) && !force) {
            throw wrong(target + " exists already; --force replaces it");
        }
        Path growing = Files.createTempFile(file.getParent(), file.getFileName().toString(), ".part");
        try (PrintWriter writer = new PrintWriter(Files.newBufferedWriter(growing, StandardCharsets.UTF_8))) {
            long count = write(store.deadLetters(), pages, writer);
            if (writer.checkError()) {
                throw new CommandFailed("could not write " + target + "; is the disk full?");
            }
            Files.move(growing, file, StandardCopyOption.REPLACE_EXISTING);
            note(letters(count) + " exported to " + target);
        } finally {
            Files.deleteIfExists(growing);
        }
        return 0;
    }

    /** Listings come without history, so each letter is asked for; one that went away meanwhile is left out. */
    private static long write(DeadLetters letters, LetterPages pages, PrintWriter to) {
        long[] count = {0};
        pages.each(listed -> letters.find(listed.id()).ifPresent(letter -> {
            to.println(DeadLetterJson.write(letter));
            count[0]++;
        }));
        return count[0];
    }
}
