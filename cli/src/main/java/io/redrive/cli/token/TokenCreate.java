package io.redrive.cli.token;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.JsonObject;
import io.redrive.cli.command.StoreCreatingCommand;
import io.redrive.core.DurationText;
import io.redrive.events.NamePattern;
import io.redrive.operations.NewToken;
import io.redrive.operations.Operations;
import io.redrive.operations.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "create",
        description = {
            "Make a token and print it. The store keeps a hash only: nobody can read the token later.",
            "Servers on this store accept the token at once, as Authorization: Bearer TOKEN."
        })
final class TokenCreate extends StoreCreatingCommand {

    @Option(
            names = "--name",
            required = true,
            paramLabel = "N",
            description = "The person or program, for the record of actions.")
    private String name = "";

    @Option(
            names = "--role",
            required = true,
            paramLabel = "R",
            description = "publisher (only publishes), viewer, operator or admin.")
    private String role = "";

    @Option(
            names = "--names",
            split = ",",
            paramLabel = "PATTERN",
            description = "Event names that a publisher may publish; all when not given.")
    private List<String> names = new ArrayList<>();

    @Option(names = "--lifetime", paramLabel = "D", description = "When the token ends, such as 90d; never by default.")
    private @Nullable String lifetime;

    @Option(names = "--json", description = "One JSON object: token, prefix, role.")
    private boolean json;

    TokenCreate(Context context) {
        super(context);
    }

    @Override
    protected int run(Operations operations) {
        NewToken made = operations
                .tokens()
                .create(
                        name,
                        Role.of(role),
                        names.stream().map(NamePattern::new).toList(),
                        Optional.ofNullable(lifetime).map(DurationText::parse));
        if (json) {
            say(new JsonObject()
                    .put("token", made.text())
                    .put("prefix", made.token().prefix())
                    .put("role", made.token().role().code()));
        } else {
            say(made.text());
            note("keep the token now: it is shown only once. To end it: redrive token revoke "
                    + made.token().prefix() + onStore());
        }
        return 0;
    }
}
