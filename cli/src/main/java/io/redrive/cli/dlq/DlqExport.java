package io.redrive.cli.dlq;

import io.redrive.cli.command.CommandFailed;
import io.redrive.cli.command.Context;
import io.redrive.cli.terminal.ProgressLine;
import io.redrive.events.DeadLetterJson;
import io.redrive.events.LetterFilter;
import io.redrive.operations.Operations;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "export",
        description = "Write dead letters with their history as JSON lines; all of them without a filter. They stay.")
final class DlqExport extends LetterCommand {

    @Mixin
    private NamedLetters named = new NamedLetters();

    @Option(
            names = "--out",
            paramLabel = "FILE",
            required = true,
            description = "Where to; - for standard output. The file is there once it is complete.")
    private String target = "";

    @Option(names = "--force", description = "Replace the file when it exists.")
    private boolean force;

    DlqExport(Context context) {
        super(context);
    }

    @Override
    protected int run(Operations operations) throws IOException {
        LetterFilter filter = named.filter(context().time().now());
        LetterPages pages = new LetterPages(operations.letters(), filter, named.limit());
        if (target.equals("-")) {
            // Without progress, which would mix with the letters on a terminal.
            note(letters(write(pages, this::say, line -> {})) + " exported");
            return 0;
        }
        Path file = Path.of(target).toAbsolutePath();
        Path folder = file.getParent();
        if (folder == null || Files.isDirectory(file) || !Files.isDirectory(folder)) {
            throw wrong("--out must be a file in a folder that exists, got '" + target + "'");
        }
        if (Files.exists(file) && !force) {
            throw wrong("--out must be a new file, got '" + target + "', which exists; --force replaces it");
        }
        Path growing = Files.createTempFile(folder, file.getFileName().toString(), ".part");
        try (PrintWriter writer = new PrintWriter(Files.newBufferedWriter(growing, StandardCharsets.UTF_8))) {
            ProgressLine progress = progressLine();
            long count = write(pages, writer::println, progress::show);
            progress.end();
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

    private static long write(LetterPages pages, Consumer<String> to, Consumer<String> progress) {
        long total = Math.min(pages.letters().count(pages.filter()), pages.limit());
        long[] count = {0};
        pages.each(pages.letters()::oldestWithHistory, 0, letter -> {
            to.accept(DeadLetterJson.write(letter));
            progress.accept(++count[0] + " of " + total + " exported");
        });
        return count[0];
    }
}
