package io.redrive.cli;

import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetterJson;
import io.redrive.events.DeadLetters;
import io.redrive.events.EventStore;
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
        },
        sortOptions = false,
        exitCodeListHeading = StoreCommand.EXIT_CODES,
        exitCodeList = {StoreCommand.DONE, StoreCommand.FAILED, StoreCommand.WRONG})
final class DlqImport extends StoreCommand {

    private static final int AT_ONCE = 500;

    @Parameters(
            paramLabel = "FILE",
            converter = InputFileConverter.class,
            description = "JSON lines, as 'dlq export' writes them; - for standard input.")
    private InputFile input;

    @Mixin
    private OperatorOption operator;

    DlqImport(Context context) {
        super(context);
    }

    @Override
    int run(EventStore store) throws IOException {
        if (!input.isStandardInput()) {
            return run(store.deadLetters(), Path.of(input.name()));
        }
        // Read twice, so it has to be kept.
        Path copy = Files.createTempFile("redrive-import-", ".jsonl");
        try {
            Files.copy(context.in(), copy, StandardCopyOption.REPLACE_EXISTING);
            return run(store.deadLetters(), copy);
        } finally {
            Files.deleteIfExists(copy);
        }
    }

    private int run(DeadLetters letters, Path file) throws IOException {
        // Once only to look: the last line may be the bad one.
        each(file, letter -> {});
        List<DeadLetter> batch = new ArrayList<>();
        long[] counts = {0, 0};
        each(file, letter -> {
            batch.add(letter);
            counts[0]++;
            if (batch.size() == AT_ONCE) {
                counts[1] += take(letters, batch);
            }
        });
        counts[1] += take(letters, batch);
        long skipped = counts[0] - counts[1];
        say(letters(counts[1]) + " imported" + (skipped == 0 ? "" : ", " + skipped + " skipped: already here"));
        return 0;
    }

    private int take(DeadLetters letters, List<DeadLetter> batch) {
        int taken = batch.isEmpty()
                ? 0
                : letters.importLetters(batch, operator.name(), context.time().now());
        batch.clear();
        return taken;
    }

    private void each(Path file, Consumer<DeadLetter> action) throws IOException {
        long number = 0;
        try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                number++;
                if (!line.isBlank()) {
                    action.accept(DeadLetterJson.read(line, number));
                }
            }
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("there is no file '" + input + "'", e);
        } catch (MalformedInputException e) {
            throw new IllegalArgumentException("line " + (number + 1) + ": is not UTF-8 text; nothing was imported", e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(input + ", " + e.getMessage() + "; nothing was imported", e);
        }
    }
}
