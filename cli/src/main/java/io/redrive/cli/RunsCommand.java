package io.redrive.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "runs",
        description = "Look at runs, bring back dead samples, go on with what stopped.",
        synopsisSubcommandLabel = "COMMAND",
        footerHeading = "%nAfter a run with dead samples, most days:%n",
        footer = {
            "  redrive runs report RUN                  what went wrong, and where",
            "  redrive runs dead RUN --stage summarize  which samples",
            "  redrive runs show RUN SAMPLE             one of them, with every attempt",
            "  redrive runs reprocess RUN --resume      after the fix"
        })
final class RunsCommand implements Runnable {

    @Mixin
    private HelpOption help;

    @Spec
    private CommandSpec spec;

    static CommandLine in(Context context) {
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

    @Override
    public void run() {
        Redrive.usageWithoutCommand(spec);
    }
}
