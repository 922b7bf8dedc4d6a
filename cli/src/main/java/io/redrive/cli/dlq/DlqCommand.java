package io.redrive.cli.dlq;

import io.redrive.cli.command.CommandGroup;
import io.redrive.cli.command.Context;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command group {@code redrive dlq}. */
@Command(
        name = "dlq",
        description = "Look at dead letters, repair them, bring them back.",
        footerHeading = "%nThe way back, most days:%n",
        footer = {
            "  redrive dlq groups --store FILE                   what went wrong, by cause",
            "  redrive dlq show 17 --store FILE                  one letter with its history",
            "  redrive dlq edit 17 --store FILE                  repair its payload, if that is the cause",
            "  redrive dlq redrive --canary --fingerprint F --store FILE"
        })
public final class DlqCommand extends CommandGroup {

    /** Returns the group with all commands. */
    public static CommandLine in(Context context) {
        return new CommandLine(new DlqCommand())
                .addSubcommand(new DlqList(context))
                .addSubcommand(new DlqGroups(context))
                .addSubcommand(new DlqShow(context))
                .addSubcommand(new DlqDiff(context))
                .addSubcommand(new DlqEdit(context))
                .addSubcommand(new DlqRepair(context))
                .addSubcommand(new DlqRedrive(context))
                .addSubcommand(new DlqPurge(context))
                .addSubcommand(new DlqRetire(context))
                .addSubcommand(new DlqExport(context))
                .addSubcommand(new DlqImport(context))
                .addSubcommand(new DlqTest(context))
                .addSubcommand(new DlqActions(context));
    }
}
