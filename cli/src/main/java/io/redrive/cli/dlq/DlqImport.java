package io.redrive.cli.dlq;

import io.redrive.cli.command.CommandFailed;
import io.redrive.cli.command.Context;
import io.redrive.cli.command.InputFile;
import io.redrive.cli.command.InputFileConverter;
import io.redrive.cli.command.OperatorOption;
import io.redrive.cli.terminal.ProgressLine;
import io.redrive.events.DeadLetter;
import io.redrive.operations.LetterImport;
import io.redrive.operations.LetterOperations;
import io.redrive.operations.Operations;
import io.redrive.operations.Operator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "import",
        description = {
            "Take dead letters over from an export.",
            "A line that is wrong is told by its number, and then nothing is imported. Letters whose event is already a"
                    + " dead letter here are skipped."
        })
final class DlqImport extends LetterCommand {

    private static final int AT_ONCE = 500;
    private static final long BYTES_AT_ONCE = 8 << 20;
    /** The share of the memory whose number of bytes limits the characters of kept lines. */
    private static final long KEPT_SHARE = 16;

    @Parameters(
            paramLabel = "FILE",
            converter = InputFileConverter.class,
            description = "JSON lines, as 'dlq export' writes them; - for standard input.")
    private InputFile input = new InputFile("-");

    @Mixin
    private OperatorOption operator = new OperatorOption();

    DlqImport(Context context) {
        super(context);
    }

    @Override
    protected Operator operator() {
        return operator.operator();
    }

    @Override
    protected int run(Operations operations) throws IOException {
        if (!input.isStandardInput()) {
            return run(operations.letters(), Path.of(input.name()));
        }
        // The letters are read twice, so standard input is copied to a file.
        Path copy = Files.createTempFile("redrive-import-", ".jsonl");
        try {
            Files.copy(context().in(), copy, StandardCopyOption.REPLACE_EXISTING);
            return run(operations.letters(), copy);
        } finally {
            Files.deleteIfExists(copy);
        }
    }

    private int run(LetterOperations letters, Path path) throws IOException {
        // The first pass only checks: the last line may be wrong, and nothing may be imported then.
        ProgressLine progress = progressLine();
        LetterFile file =
                new LetterFile(path, input.toString(), Runtime.getRuntime().maxMemory() / KEPT_SHARE);
        file.check(checked -> progress.show(checked + " letters checked"));
        Importing importing = new Importing(letters.beginImport("from " + input), progress);
        importing.all(file);
        progress.end();
        long taken = importing.imported.taken();
        long skipped = importing.imported.offered() - taken;
        say(letters(taken) + " imported" + (skipped == 0 ? "" : ", " + skipped + " skipped: already here"));
        return 0;
    }

    /** Imports letters page by page. */
    private final class Importing {
        private final LetterImport imported;
        private final ProgressLine progress;
        private final List<DeadLetter> page = new ArrayList<>();
        private long bytes;

        Importing(LetterImport imported, ProgressLine progress) {
            this.imported = imported;
            this.progress = progress;
        }

        void all(LetterFile file) throws IOException {
            try {
                file.each(letter -> add(letter, file.total()));
                take();
            } catch (RuntimeException e) {
                progress.end();
                throw new CommandFailed(
                        letters(imported.taken()) + " imported before it failed: " + e.getMessage()
                                + "; importing the same file again skips what is here",
                        e);
            }
        }

        private void add(DeadLetter letter, long total) {
            page.add(letter);
            bytes += letter.event().payloadSize();
            if (page.size() == AT_ONCE || bytes >= BYTES_AT_ONCE) {
                take();
                progress.show(imported.offered() + " of " + total + " imported");
            }
        }

        private void take() {
            if (!page.isEmpty()) {
                imported.add(page);
                page.clear();
                bytes = 0;
            }
        }
    }
}
