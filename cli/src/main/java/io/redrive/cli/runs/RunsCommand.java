package io.redrive.cli.runs;

import io.redrive.cli.command.CommandGroup;
import io.redrive.cli.command.Context;
import io.redrive.cli.command.NamedCommands;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command group {@code redrive runs}. */
@Command(
        name = "runs",
        description = "Look at runs, bring back dead samples, go on with what stopped.",
        footerHeading = "%nAfter a run with dead samples, most days:%n",
        footer = {
            "  redrive runs report RUN                  what went wrong, and where",
            "  redrive runs dead RUN --stage summarize  which samples",
            "  redrive runs show RUN SAMPLE             one of them, with every attempt",
            "  redrive runs reprocess RUN --resume      after the fix"
        })
public final class RunsCommand extends CommandGroup {

    /** Returns the group, with the command that {@code words} name or with all commands. */
    public static CommandLine in(Context context, List<String> words) {
        return new NamedCommands()
                .with("list", RunsList::new)
                .with("show", RunsShow::new)
                .with("report", RunsReport::new)
                .with("dead", RunsDead::new)
                .with("reprocess", RunsReprocess::new)
                .with("resume", RunsResume::new)
                .with("cancel", RunsCancel::new)
                .with("delete", RunsDelete::new)
                .below(new RunsCommand(), context, words);
    }
}
