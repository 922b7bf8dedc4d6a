package io.redrive.cli.proposals;

import io.redrive.cli.command.CommandGroup;
import io.redrive.cli.command.Context;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command group {@code redrive proposals}. */
@Command(name = "proposals", description = "Decide on repairs, redrives and resolutions that assistants ask for.")
public final class ProposalsCommand extends CommandGroup {

    /** Returns the group with all commands. */
    public static CommandLine in(Context context) {
        return new CommandLine(new ProposalsCommand())
                .addSubcommand(new ProposalsList(context))
                .addSubcommand(new ProposalsShow(context))
                .addSubcommand(new ProposalsApprove(context))
                .addSubcommand(new ProposalsReject(context));
    }
}
