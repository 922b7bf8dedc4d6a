package io.redrive.cli.causes;

import io.redrive.cli.command.Context;
import io.redrive.operations.CauseOperations;
import io.redrive.operations.CauseView;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "note",
        description = "Write down what is known about a cause, or where its ticket is. Replaces the note before.")
final class CausesNote extends ChangeCommand {

    @Parameters(index = "1", arity = "0..1", paramLabel = "TEXT", description = "The note; '' removes it.")
    private @Nullable String text;

    @Option(names = "--ticket", paramLabel = "LINK", description = "The link to the ticket; '' removes it.")
    private @Nullable String ticket;

    CausesNote(Context context) {
        super(context);
    }

    @Override
    Optional<CauseView> change(CauseOperations causes) {
        if (text == null && ticket == null) {
            throw new IllegalArgumentException("give a TEXT, or --ticket LINK");
        }
        Optional<CauseView> changed = Optional.empty();
        if (text != null) {
            changed = causes.note(fingerprint(), text);
        }
        return ticket == null ? changed : causes.ticket(fingerprint(), ticket);
    }
}
