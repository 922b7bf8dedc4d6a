package io.redrive.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "dlq",
        description = "Look at dead letters, repair them, bring them back.",
        synopsisSubcommandLabel = "COMMAND",
        footerHeading = "%nThe way back, most days:%n",
        footer = {
            "  redrive dlq groups --store FILE                   what went wrong, by cause",
            "  redrive dlq show 17 --store FILE                  one letter with its history",
            "  redrive dlq edit 17 --store FILE                  repair its payload, if that is the cause",
            "  redrive dlq redrive --canary --fingerprint F --store FILE"
        })
final class DlqCommand implements Runnable {

    @Mixin
    private HelpOption help;

    @Spec
    private CommandSpec spec;

    static CommandLine in(Context context) {
        return new CommandLine(new DlqCommand())
                .addSubcommand(new DlqList(context))
                .addSubcommand(new DlqGroups(context))
                .addSubcommand(new DlqShow(context))
                .addSubcommand(new DlqEdit(context))
                .addSubcommand(new DlqRedrive(context))
                .addSubcommand(new DlqPurge(context))
                .addSubcommand(new DlqExport(context))
                .addSubcommand(new DlqImport(context))
                .addSubcommand(new DlqActions(context));
    }

    @Override
    public void run() {
        Redrive.usageWithoutCommand(spec);
    }
}
