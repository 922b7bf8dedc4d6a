package io.redrive.cli;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.DurationOption;
import io.redrive.cli.command.OperationsCommand;
import io.redrive.cli.command.OperatorOption;
import io.redrive.cli.command.TimeAhead;
import io.redrive.cli.terminal.Printable;
import io.redrive.events.NamePattern;
import io.redrive.operations.Operations;
import io.redrive.operations.Operator;
import io.redrive.pipeline.NamePause;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "pause",
        description = "Pause events by name, on all nodes: handlers that have begun end, no other handler begins.")
final class PauseCommand extends OperationsCommand {

    @Parameters(paramLabel = "NAME", description = "An event name, or a pattern such as order.* or '*'.")
    private String name = "";

    @Option(names = "--reason", paramLabel = "TEXT", required = true, description = "Why, for other operators.")
    private String reason = "";

    @Option(names = "--for", paramLabel = "D", description = "For this time, such as 2h; until resumed by default.")
    private @Nullable String lasting;

    @Option(
            names = "--until",
            paramLabel = "WHEN",
            description = "Until this time: 3d (from now), 2026-03-01, an ISO time.")
    private @Nullable String until;

    @Option(names = "--json", description = "One JSON object.")
    private boolean json;

    @Mixin
    private OperatorOption operator = new OperatorOption();

    PauseCommand(Context context) {
        super(context);
    }

    @Override
    protected Operator operator() {
        return operator.operator();
    }

    @Override
    protected int run(Operations operations) {
        Instant now = context().time().now();
        NamePause.ByHand pause = operations.pauses().pause(new NamePattern(name), reason, end(now));
        if (json) {
            say(PauseText.json(pause));
        } else {
            String shown = Printable.line(name);
            say(shown + "  paused "
                    + pause.until()
                            .map(end -> "until " + end.truncatedTo(ChronoUnit.SECONDS))
                            .orElse("until resumed") + "; nodes follow within a second");
            say("resume with: redrive resume " + Printable.shellWord(name) + onStore());
        }
        return 0;
    }

    private Optional<Instant> end(Instant now) {
        if (lasting != null && until != null) {
            throw new IllegalArgumentException("--for and --until both name the end of the pause; give one of them");
        }
        if (lasting != null) {
            return Optional.of(now.plus(DurationOption.parse("--for", lasting)));
        }
        Optional<Instant> end = Optional.ofNullable(until).map(text -> TimeAhead.parse("--until", text, now));
        if (end.filter(time -> !time.isAfter(now)).isPresent()) {
            throw new IllegalArgumentException("--until must be in the future, got " + end.get() + "; it is " + now);
        }
        return end;
    }
}
