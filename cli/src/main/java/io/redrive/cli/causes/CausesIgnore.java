package io.redrive.cli.causes;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.TimeAhead;
import io.redrive.operations.CauseOperations;
import io.redrive.operations.CauseView;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "ignore",
        description = "Let a cause raise no alert: for ever, until a time, or until so many more letters.")
final class CausesIgnore extends ChangeCommand {

    @Option(
            names = "--until",
            paramLabel = "WHEN",
            description = "Until this time: 3d (from now), 2026-03-01, an ISO time.")
    private @Nullable String until;

    @Option(names = "--letters", paramLabel = "N", description = "Until so many more letters.")
    private @Nullable Long letters;

    CausesIgnore(Context context) {
        super(context);
    }

    @Override
    Optional<CauseView> change(CauseOperations causes) {
        return causes.ignore(
                fingerprint(),
                Optional.ofNullable(until)
                        .map(text -> TimeAhead.parse(
                                "--until", text, context().time().now())),
                letters == null ? OptionalLong.empty() : OptionalLong.of(letters));
    }
}
