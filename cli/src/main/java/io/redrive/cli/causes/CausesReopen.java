package io.redrive.cli.causes;

import io.redrive.cli.command.Context;
import io.redrive.operations.CauseOperations;
import io.redrive.operations.CauseView;
import java.util.Optional;
import picocli.CommandLine.Command;

@Command(name = "reopen", description = "Open a resolved or ignored cause again.")
final class CausesReopen extends ChangeCommand {

    CausesReopen(Context context) {
        super(context);
    }

    @Override
    Optional<CauseView> change(CauseOperations causes) {
        return causes.reopen(fingerprint());
    }
}
