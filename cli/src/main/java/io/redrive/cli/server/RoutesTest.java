package io.redrive.cli.server;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.ExitCodes;
import io.redrive.cli.command.JsonObject;
import io.redrive.cli.terminal.Printable;
import io.redrive.operations.RouteOperations;
import io.redrive.operations.RouteTestResult;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "test",
        description = "Send a signed test message to the destination of a route, once; no event is stored.",
        exitCodeList = {ExitCodes.DONE, "1:not delivered, or failed", ExitCodes.WRONG})
final class RoutesTest extends OneRouteCommand {

    @Option(names = "--json", description = "One JSON object.")
    private boolean json;

    RoutesTest(Context context) {
        super(context);
    }

    @Override
    int run(RouteOperations routes) {
        RouteTestResult result = routes.test(route());
        if (json) {
            say(new JsonObject()
                    .put("delivered", result.delivered())
                    .put("summary", result.summary())
                    .put("answer", result.answer())
                    .put("took_ms", result.took().toMillis()));
        } else {
            say(Printable.line(route()) + "  " + (result.delivered() ? "delivered: " : "not delivered: ")
                    + Printable.line(result.summary()) + ", " + result.took().toMillis() + " ms");
            if (!result.answer().isBlank()) {
                say(Printable.block(result.answer()));
            }
        }
        return result.delivered() ? 0 : 1;
    }
}
