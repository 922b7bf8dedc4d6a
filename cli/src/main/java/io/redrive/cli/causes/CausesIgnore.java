package io.redrive.cli.causes;

import io.redrive.cli.command.Context;
import io.redrive.core.DurationText;
import io.redrive.operations.CauseOperations;
import io.redrive.operations.CauseView;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
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
                Optional.ofNullable(until).map(this::moment),
                letters == null ? OptionalLong.empty() : OptionalLong.of(letters));
    }

    private Instant moment(String text) {
        try {
            if (text.matches("\\d{4}-\\d\\d-\\d\\d")) {
                return LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
            }
            return text.matches("\\d{4}-.*")
                    ? OffsetDateTime.parse(text).toInstant()
                    : context().time().now().plus(DurationText.parse(text));
        } catch (DateTimeException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "--until must be a time from now such as 3d, a date (UTC) or a time with its zone such as"
                            + " 2026-03-01T10:00:00Z; got '" + text + "'",
                    e);
        }
    }
}
