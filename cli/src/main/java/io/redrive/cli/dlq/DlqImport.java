package io.redrive.cli.dlq;

import io.redrive.cli.command.CommandFailed;
import io.redrive.cli.command.Context;
import io.redrive.cli.command.InputFile;
import io.redrive.cli.command.InputFileConverter;
import io.redrive.cli.command.OperatorOption;
import io.redrive.cli.terminal.ProgressLine;
import io.redrive.events.DeadLetter;
import io.redrive.kafka.LetterReader;
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
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "import",
        description = {
            "Take dead letters over from an export, or with --kafka from topics of Kafka: letters of Redrive, of share groups"
                    + " (KIP-1191), Kafka Streams, Kafka Connect, Spring Kafka and SmallRye, and any other records.",
            "A line that is wrong is told by its number, and then nothing is imported. Letters whose event is already a"
                    + " dead letter here are skipped. Topics are read from the last import on."
        })
final class DlqImport extends LetterCommand {

    private static final int AT_ONCE = 500;
    private static final long BYTES_AT_ONCE = 8 << 20;
    /** The share of the memory whose number of bytes limits the characters of kept lines. */
    private static final long KEPT_SHARE = 16;

    @Parameters(
            paramLabel = "FILE",
            arity = "0..1",
            converter = InputFileConverter.class,
            description = "JSON lines, as 'dlq export' writes them; - for standard input.")
    private @Nullable InputFile input;

    @Mixin
    private TopicOptions topics = new TopicOptions();

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
        String complaint = topics.complaint(input != null);
        if (!complaint.isEmpty()) {
            throw wrong(complaint);
        }
        if (topics.areGiven()) {
            return fromTopics(operations.letters());
        }
        if (input == null) {
            throw wrong("Missing required parameter: 'FILE', or --kafka BOOTSTRAP --topic TOPIC");
        }
        if (!input.isStandardInput()) {
            return run(operations.letters(), input, Path.of(input.name()));
        }
        // The letters are read twice, so standard input is copied to a file.
        Path copy = Files.createTempFile("redrive-import-", ".jsonl");
        try {
            Files.copy(context().in(), copy, StandardCopyOption.REPLACE_EXISTING);
            return run(operations.letters(), input, copy);
        } finally {
            Files.deleteIfExists(copy);
        }
    }

    private int fromTopics(LetterOperations letters) {
        try (LetterReader reader = topics.open()) {
            ProgressLine progress = progressLine();
            LetterImport imported = letters.beginImport("from " + topics.describe());
            RefusedLetters refused = new RefusedLetters(imported, this::note);
            // An import that dies between the two calls offers the page again, and the letters that are here are
            // skipped.
            for (List<DeadLetter> page = reader.next(AT_ONCE); !page.isEmpty(); page = reader.next(AT_ONCE)) {
                refused.add(page);
                reader.commit();
                progress.show(imported.offered() + " imported");
            }
            progress.end();
            return tell(imported);
        } catch (IllegalStateException e) {
            throw new CommandFailed(String.valueOf(e.getMessage()), e);
        } catch (KafkaException e) {
            throw new CommandFailed(e.getMessage() + "; importing again continues behind the imported letters", e);
        }
    }

    private int tell(LetterImport imported) {
        long skipped = imported.offered() - imported.taken();
        say(letters(imported.taken()) + " imported" + (skipped == 0 ? "" : ", " + skipped + " skipped: already here"));
        return 0;
    }

    private int run(LetterOperations letters, InputFile input, Path path) throws IOException {
        // The first pass only checks: the last line may be wrong, and nothing may be imported then.
        ProgressLine progress = progressLine();
        LetterFile file =
                new LetterFile(path, input.toString(), Runtime.getRuntime().maxMemory() / KEPT_SHARE);
        file.check(checked -> progress.show(checked + " letters checked"));
        Importing importing = new Importing(letters.beginImport("from " + input), progress);
        importing.all(file);
        progress.end();
        return tell(importing.imported);
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
