package io.redrive.cli.dlq;

import io.redrive.cli.command.CommandFailed;
import io.redrive.cli.command.Context;
import io.redrive.cli.command.InputFile;
import io.redrive.cli.command.InputFileConverter;
import io.redrive.cli.command.OperatorOption;
import io.redrive.events.DeadLetter;
import io.redrive.operations.LetterOperations;
import io.redrive.operations.Operations;
import io.redrive.operations.Operator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
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

    @Option(names = "--version", paramLabel = "N", description = "An earlier payload, as 'dlq show' numbers them.")
    private @Nullable Integer version;

    @Option(names = "--force", description = "Store the payload even when it is not valid for its content type.")
    private boolean force;

    @Mixin
    private OperatorOption operator = new OperatorOption();

    DlqEdit(Context context) {
        super(context);
    }

    @Override
    protected Operator operator() {
        return operator.operator();
    }

    @Override
    protected int run(Operations operations) throws IOException, InterruptedException {
        LetterOperations letters = operations.letters();
        DeadLetter letter = letter(letters, id);
        byte[] before = letter.event().payload();
        byte[] after = after(letters, letter.id(), before);
        if (Arrays.equals(before, after)) {
            say("letter " + letter.id() + " is unchanged");
            return 0;
        }
        if (!replace(letters, letter.id(), after)) {
            throw new CommandFailed("letter " + letter.id() + " was redriven or purged meanwhile; nothing was changed");
        }
        say("letter " + letter.id() + ": payload replaced, " + before.length + " bytes before, " + after.length
                + " now");
        return 0;
    }

    private byte[] after(LetterOperations letters, long letterId, byte[] before)
            throws IOException, InterruptedException {
        if (version == null) {
            return payload == null
                    ? fromEditor(letterId, before)
                    : payload.bytes(context().in());
        }
        if (payload != null) {
            throw wrong("--version and --payload contradict each other; leave one of them out");
        }
        return letters.versions(letterId).stream()
                .filter(earlier -> earlier.number() == version)
                .findFirst()
                .orElseThrow(() -> wrong("--version must be an earlier payload of letter " + letterId + ", got "
                        + version + "; see: redrive dlq show " + letterId + onStore()))
                .payload();
    }

    private boolean replace(LetterOperations letters, long letterId, byte[] after) {
        if (force) {
            return letters.editUnchecked(letterId, after);
        }
        try {
            return letters.edit(letterId, after);
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage() + ". --force stores it nevertheless");
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
                throw new CommandFailed("the editor must end with exit code 0 and did not; nothing was changed");
            }
            return Files.readAllBytes(file);
        } finally {
            Files.deleteIfExists(file);
        }
    }
}
