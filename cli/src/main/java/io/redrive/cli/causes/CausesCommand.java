package io.redrive.cli.causes;

import io.redrive.cli.command.CommandGroup;
import io.redrive.cli.command.Context;
import io.redrive.cli.command.NamedCommands;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command group {@code redrive causes}. */
@Command(
        name = "causes",
        description =
                "Work on the causes of dead letters: who looks after a cause, what is known, in which version it is fixed.")
public final class CausesCommand extends CommandGroup {

    /** Returns the group, with the command that {@code words} name or with all commands. */
    public static CommandLine in(Context context, List<String> words) {
        return new NamedCommands()
                .with("list", CausesList::new)
                .with("show", CausesShow::new)
                .with("differs", CausesDiffers::new)
                .with("assign", CausesAssign::new)
                .with("note", CausesNote::new)
                .with("resolve", CausesResolve::new)
                .with("ignore", CausesIgnore::new)
                .with("reopen", CausesReopen::new)
                .with("merge", CausesMerge::new)
                .below(new CausesCommand(), context, words);
    }
}
