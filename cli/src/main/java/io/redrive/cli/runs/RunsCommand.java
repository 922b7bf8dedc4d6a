package io.redrive.cli.runs;

import io.redrive.cli.command.CommandGroup;
import io.redrive.cli.command.Context;
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

    /** Returns the group with all commands. */
    public static CommandLine in(Context context) {
        return new CommandLine(new RunsCommand())
                .addSubcommand(new RunsList(context))
                .addSubcommand(new RunsShow(context))
                .addSubcommand(new RunsReport(context))
                .addSubcommand(new RunsDead(context))
                .addSubcommand(new RunsReprocess(context))
                .addSubcommand(new RunsResume(context))
                .addSubcommand(new RunsCancel(context))
                .addSubcommand(new RunsDelete(context));
    }
}
