package io.redrive.cli.dlq;

import io.redrive.cli.command.CommandFailed;
import io.redrive.cli.command.Context;
import io.redrive.cli.command.InputFile;
import io.redrive.cli.command.InputFileConverter;
import io.redrive.cli.command.OperatorOption;
import io.redrive.cli.terminal.ProgressLine;
import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetterJson;
import io.redrive.operations.LetterImport;
import io.redrive.operations.LetterOperations;
import io.redrive.operations.Operations;
import io.redrive.operations.Operator;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
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

    private int run(LetterOperations letters, Path file) throws IOException {
        // The first pass only checks: the last line may be wrong, and nothing may be imported then.
        long[] total = {0};
        ProgressLine progress = progressLine();
        each(file, "nothing was imported", letter -> progress.show(++total[0] + " letters checked"));
        Importing importing = new Importing(letters.beginImport("from " + input), progress);
        importing.all(file, total[0]);
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

        void all(Path file, long total) throws IOException {
            try {
                each(file, "the file has changed meanwhile", letter -> {
                    page.add(letter);
                    bytes += letter.event().payloadSize();
                    if (page.size() == AT_ONCE || bytes >= BYTES_AT_ONCE) {
                        take();
                        progress.show(imported.offered() + " of " + total + " imported");
                    }
                });
                take();
            } catch (RuntimeException e) {
                progress.end();
                throw new CommandFailed(
                        letters(imported.taken()) + " imported before it failed: " + e.getMessage()
                                + "; importing the same file again skips what is here",
                        e);
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

    private void each(Path file, String effect, Consumer<DeadLetter> action) throws IOException {
        long number = 0;
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                if (!line.isBlank()) {
                    action.accept(read(line, number, effect));
                }
            }
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("the file must exist, got '" + input + "'", e);
        } catch (MalformedInputException e) {
            throw new IllegalArgumentException(input + ", line " + (number + 1) + " must be UTF-8 text; " + effect, e);
        }
    }

    private DeadLetter read(String line, long number, String effect) {
        try {
            return DeadLetterJson.read(line, number);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(input + ", " + e.getMessage() + "; " + effect, e);
        }
    }
}
