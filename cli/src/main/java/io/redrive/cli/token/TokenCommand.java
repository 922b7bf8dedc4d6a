package io.redrive.cli.token;

import io.redrive.cli.command.CommandGroup;
import io.redrive.cli.command.Context;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Tokens of callers: create, list, revoke. */
@Command(name = "token", description = "Make, list and revoke the tokens of callers of a server on this store.")
public final class TokenCommand extends CommandGroup {

    /** Returns the group with its commands. */
    public static CommandLine in(Context context) {
        return new CommandLine(new TokenCommand())
                .addSubcommand(new TokenCreate(context))
                .addSubcommand(new TokenList(context))
                .addSubcommand(new TokenRevoke(context));
    }
}
