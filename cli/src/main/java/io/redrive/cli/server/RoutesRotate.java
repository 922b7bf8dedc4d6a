package io.redrive.cli.server;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.JsonObject;
import io.redrive.core.DurationText;
import io.redrive.operations.RotatedSecret;
import io.redrive.operations.RouteOperations;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "rotate",
        description = {
            "Make a new secret for a route and print it; the former secret signs along for the grace.",
            "The receiver needs the secret: nobody can read it later."
        })
final class RoutesRotate extends OneRouteCommand {

    @Option(
            names = "--grace",
            paramLabel = "D",
            description = "How long the former secret signs too, up to 7d; as the route says by default.")
    private @Nullable String grace;

    @Option(names = "--json", description = "One JSON object.")
    private boolean json;

    RoutesRotate(Context context) {
        super(context);
    }

    @Override
    int run(RouteOperations routes) {
        RotatedSecret secret = routes.rotate(route(), Optional.ofNullable(grace).map(DurationText::parse));
        if (json) {
            say(new JsonObject()
                    .put("route", secret.route())
                    .put("secret", secret.receiverText())
                    .put("former_until", secret.formerUntil().orElse(null)));
        } else {
            say(secret.receiverText());
            note("keep the secret now: it is shown only once. "
                    + secret.formerUntil()
                            .map(until -> "The former secret signs until " + until)
                            .orElse("The former secret does not sign any more"));
        }
        return 0;
    }
}
