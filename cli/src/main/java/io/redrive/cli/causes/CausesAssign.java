package io.redrive.cli.causes;

import io.redrive.cli.command.Context;
import io.redrive.operations.CauseOperations;
import io.redrive.operations.CauseView;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "assign",
        description = "Name the person who works on a cause. A resolved or ignored cause is open again.")
final class CausesAssign extends ChangeCommand {

    @Parameters(index = "1", paramLabel = "OWNER", description = "The owner; '' for nobody.")
    private String owner = "";

    CausesAssign(Context context) {
        super(context);
    }

    @Override
    Optional<CauseView> change(CauseOperations causes) {
        return causes.assign(fingerprint(), owner);
    }
}
