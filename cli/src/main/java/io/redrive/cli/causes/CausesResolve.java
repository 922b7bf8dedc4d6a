package io.redrive.cli.causes;

import io.redrive.cli.command.Context;
import io.redrive.events.cause.ServiceVersion;
import io.redrive.operations.CauseOperations;
import io.redrive.operations.CauseView;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "resolve",
        description = {
            "Call a cause resolved. When a letter comes back from a node with the fix, the cause is regressed and alerts.",
            "Without --fixed-in any later letter does that."
        })
final class CausesResolve extends ChangeCommand {

    @Option(
            names = "--fixed-in",
            paramLabel = "VERSION",
            description = "The version of the service with the fix, such as 2.4.")
    private @Nullable String fixedIn;

    CausesResolve(Context context) {
        super(context);
    }

    @Override
    Optional<CauseView> change(CauseOperations causes) {
        return causes.resolve(fingerprint(), Optional.ofNullable(fixedIn).map(ServiceVersion::new));
    }
}
