package io.redrive.cli.token;

import io.redrive.cli.command.CommandFailed;
import io.redrive.cli.command.Context;
import io.redrive.cli.command.OperationsCommand;
import io.redrive.cli.terminal.Printable;
import io.redrive.operations.AccessToken;
import io.redrive.operations.Operations;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "revoke", description = "End a token. Servers refuse the token after a second.")
final class TokenRevoke extends OperationsCommand {

    @Parameters(paramLabel = "PREFIX", description = "The prefix of the token, as token list shows it.")
    private String prefix = "";

    TokenRevoke(Context context) {
        super(context);
    }

    @Override
    protected int run(Operations operations) {
        AccessToken ended = operations
                .tokens()
                .revoke(prefix)
                .orElseThrow(() -> new CommandFailed(
                        "no token has the prefix " + Printable.line(prefix) + "; see: redrive token list"));
        say(ended.prefix() + "  revoked, a token of " + Printable.line(ended.name()));
        return 0;
    }
}
