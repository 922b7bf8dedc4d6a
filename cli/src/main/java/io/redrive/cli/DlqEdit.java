package io.redrive.cli;

import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetters;
import io.redrive.events.EventStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "edit",
        description = "Replace a dead letter's payload. The original stays, and 'dlq show' shows both.",
        sortOptions = false,
        exitCodeListHeading = StoreCommand.EXIT_CODES,
        exitCodeList = {StoreCommand.DONE, StoreCommand.FAILED, StoreCommand.WRONG})
final class DlqEdit extends StoreCommand {

    @Parameters(paramLabel = "ID", description = "The letter's id, or the event's.")
    private String name;

    @Option(
            names = "--payload",
            paramLabel = "FILE",
            converter = InputFileConverter.class,
            description = "The new payload; - for standard input. At a terminal, $EDITOR opens when it is not given.")
    private InputFile payload;

    @Option(names = "--force", description = "Take it even when it is not valid for its content type.")
    private boolean force;

    @Mixin
    private OperatorOption operator;

    DlqEdit(Context context) {
        super(context);
    }

    @Override
    int run(EventStore store) throws IOException, InterruptedException {
        DeadLetters letters = store.deadLetters();
        DeadLetter letter = letter(letters, name);
        long id = letter.id();
        byte[] before = letter.event().payload();
        byte[] after = payload == null ? fromEditor(id, before) : payload.bytes(context.in());
        if (Arrays.equals(before, after)) {
            say("letter " + id + " is unchanged");
            return 0;
        }
        requireValid(after, letter.event().contentType());
        if (!letters.edit(id, after, operator.command("edit"), context.time().now())) {
            throw new CommandFailed("letter " + id + " went away meanwhile; nothing was changed");
        }
        say("letter " + id + ": payload replaced, " + before.length + " bytes before, " + after.length + " now");
        return 0;
    }

    private void requireValid(byte[] after, String contentType) {
        Optional<String> complaint = PayloadText.complaint(after, contentType);
        if (complaint.isPresent() && !force) {
            throw wrong("the new payload is not valid " + contentType + ": " + complaint.get()
                    + "; nothing was changed (--force takes it all the same)");
        }
    }

    private byte[] fromEditor(long id, byte[] before) throws IOException, InterruptedException {
        if (!context.terminal().isInteractive()) {
            throw wrong("--payload FILE is needed when there is no terminal to open an editor in");
        }
        Path file = Files.createTempFile("redrive-letter-" + id + "-", ".txt");
        try {
            Files.write(file, before);
            if (!context.terminal().edit(file)) {
                throw new CommandFailed("the editor failed; nothing was changed");
            }
            return Files.readAllBytes(file);
        } finally {
            Files.deleteIfExists(file);
        }
    }
}
