package io.redrive.cli.token;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.JsonObject;
import io.redrive.cli.command.OperationsCommand;
import io.redrive.cli.terminal.Printable;
import io.redrive.cli.terminal.TextTable;
import io.redrive.cli.terminal.TextTable.Column;
import io.redrive.events.NamePattern;
import io.redrive.operations.AccessToken;
import io.redrive.operations.Operations;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "list", description = "List tokens, the oldest first: prefix, role, end, last use.")
final class TokenList extends OperationsCommand {

    @Option(names = "--json", description = "One JSON object for each token.")
    private boolean json;

    TokenList(Context context) {
        super(context);
    }

    @Override
    protected int run(Operations operations) {
        List<AccessToken> tokens = operations.tokens().list();
        if (json) {
            tokens.forEach(token -> say(object(token)));
        } else if (tokens.isEmpty()) {
            say("no tokens");
        } else {
            say(table(tokens, context().time().now()));
        }
        return 0;
    }

    private static JsonObject object(AccessToken token) {
        return new JsonObject()
                .put("prefix", token.prefix())
                .put("name", token.name())
                .put("role", token.role().code())
                .put("names", token.names().stream().map(NamePattern::text).toList())
                .put("created", token.created())
                .put("expires", token.expires().orElse(null))
                .put("last_used", token.lastUsed().orElse(null));
    }

    private static TextTable table(List<AccessToken> tokens, Instant now) {
        TextTable table = new TextTable(
                Column.left("prefix"),
                Column.elastic("name"),
                Column.left("role"),
                Column.left("names"),
                Column.left("ends"),
                Column.left("last used"));
        tokens.forEach(token -> table.add(
                token.prefix(),
                Printable.line(token.name()),
                token.role().code(),
                token.names().stream().map(NamePattern::text).collect(Collectors.joining(",")),
                token.isExpired(now)
                        ? "expired"
                        : token.expires().map(Instant::toString).orElse("never"),
                token.lastUsed().map(last -> Printable.age(last, now)).orElse("never")));
        return table;
    }
}
