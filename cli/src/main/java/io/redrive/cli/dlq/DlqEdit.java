package io.redrive.cli.dlq;

import io.redrive.cli.command.CommandFailed;
import io.redrive.cli.command.Context;
import io.redrive.cli.command.InputFile;
import io.redrive.cli.command.InputFileConverter;
import io.redrive.cli.terminal.PayloadText;
import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetters;
import io.redrive.events.EventStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "edit", description = "Replace a dead letter's payload. The original stays, and 'dlq show' shows both.")
final class DlqEdit extends LetterCommand {

    @Parameters(paramLabel = "ID", description = "The letter's id, or the event's.")
    private String id = "";

    @Option(
            names = "--payload",
            paramLabel = "FILE",
            converter = InputFileConverter.class,
            description = "The new payload; - for standard input. At a terminal, $EDITOR opens when it is not given.")
    private @Nullable InputFile payload;

    @Option(names = "--force", description = "Store the payload even when it is not valid for its content type.")
    private boolean force;

    @Mixin
    private OperatorOption operator = new OperatorOption();

    DlqEdit(Context context) {
        super(context);
    }

    @Override
    protected int run(EventStore store) throws IOException, InterruptedException {
        DeadLetters letters = store.deadLetters();
        DeadLetter letter = letter(letters, id);
        byte[] before = letter.event().payload();
        byte[] after = payload == null
                ? fromEditor(letter.id(), before)
                : payload.bytes(context().in());
        if (Arrays.equals(before, after)) {
            say("letter " + letter.id() + " is unchanged");
            return 0;
        }
        requireValid(after, letter.event().contentType());
        if (!letters.edit(
                letter.id(), after, operator.command("edit"), context().time().now())) {
            throw new CommandFailed("letter " + letter.id() + " was redriven or purged meanwhile; nothing was changed");
        }
        say("letter " + letter.id() + ": payload replaced, " + before.length + " bytes before, " + after.length
                + " now");
        return 0;
    }

    private void requireValid(byte[] after, String contentType) {
        Optional<String> complaint = PayloadText.complaint(after, contentType);
        if (complaint.isPresent() && !force) {
            throw wrong("the new payload is not valid " + contentType + ": " + complaint.get()
                    + "; nothing was changed. --force stores it nevertheless");
        }
    }

    private byte[] fromEditor(long letterId, byte[] before) throws IOException, InterruptedException {
        if (!context().terminal().isInteractive()) {
            throw wrong("--payload FILE must be given where no terminal can open an editor");
        }
        Path file = Files.createTempFile("redrive-letter-" + letterId + "-", ".txt");
        try {
            Files.write(file, before);
            if (!context().terminal().edit(file)) {
                throw new CommandFailed("the editor failed; nothing was changed");
            }
            return Files.readAllBytes(file);
        } finally {
            Files.deleteIfExists(file);
        }
    }
}
