package io.redrive.cli;

import io.redrive.cli.command.CommandFailed;
import io.redrive.cli.command.Context;
import io.redrive.cli.command.OperationsCommand;
import io.redrive.cli.command.OperatorOption;
import io.redrive.cli.terminal.Printable;
import io.redrive.events.NamePattern;
import io.redrive.operations.Operations;
import io.redrive.operations.Operator;
import io.redrive.pipeline.NamePause;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "resume", description = "End a pause that was made with 'redrive pause', on all nodes.")
final class ResumeCommand extends OperationsCommand {

    @Parameters(paramLabel = "NAME", description = "The event name or pattern, as it was paused.")
    private String name = "";

    @Option(names = "--json", description = "The ended pause as one JSON object.")
    private boolean json;

    @Mixin
    private OperatorOption operator = new OperatorOption();

    ResumeCommand(Context context) {
        super(context);
    }

    @Override
    protected Operator operator() {
        return operator.operator();
    }

    @Override
    protected int run(Operations operations) {
        NamePattern pattern = new NamePattern(name);
        Optional<NamePause.ByHand> ended = operations.pauses().resume(pattern);
        if (ended.isEmpty()) {
            throw new CommandFailed(Printable.line(name) + " is not paused by hand"
                    + hint(pattern, operations.pauses().list()) + "; see: redrive pauses" + onStore());
        }
        say(json ? PauseText.json(ended.get()).toString() : Printable.line(name) + "  resumed");
        return 0;
    }

    private static String hint(NamePattern pattern, List<NamePause> pauses) {
        for (NamePause pause : pauses) {
            boolean includes = pause.pattern().includes(pattern);
            if (includes && pause instanceof NamePause.ByPipeline) {
                return "; the pipeline paused it, and resumes it after a probe";
            }
            if (includes) {
                return ", but " + pause.pattern() + " is, which includes it";
            }
        }
        return "";
    }
}
