package io.redrive.cli.token;

import io.redrive.cli.command.CommandGroup;
import io.redrive.cli.command.Context;
import io.redrive.cli.command.NamedCommands;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Tokens of callers: create, list, revoke. */
@Command(name = "token", description = "Make, list and revoke the tokens of callers of a server on this store.")
public final class TokenCommand extends CommandGroup {

    /** Returns the group with its commands. */
    public static CommandLine in(Context context, List<String> words) {
        return new NamedCommands()
                .with("create", TokenCreate::new)
                .with("list", TokenList::new)
                .with("revoke", TokenRevoke::new)
                .below(new TokenCommand(), context, words);
    }
}
