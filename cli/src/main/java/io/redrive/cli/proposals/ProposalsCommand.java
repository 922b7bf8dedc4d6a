package io.redrive.cli.proposals;

import io.redrive.cli.command.CommandGroup;
import io.redrive.cli.command.Context;
import io.redrive.cli.command.NamedCommands;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command group {@code redrive proposals}. */
@Command(name = "proposals", description = "Decide on repairs, redrives and resolutions that assistants ask for.")
public final class ProposalsCommand extends CommandGroup {

    /** Returns the group, with the command that {@code words} name or with all commands. */
    public static CommandLine in(Context context, List<String> words) {
        return new NamedCommands()
                .with("list", ProposalsList::new)
                .with("show", ProposalsShow::new)
                .with("approve", ProposalsApprove::new)
                .with("reject", ProposalsReject::new)
                .below(new ProposalsCommand(), context, words);
    }
}
