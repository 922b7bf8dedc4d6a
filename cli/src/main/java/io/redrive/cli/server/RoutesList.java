package io.redrive.cli.server;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.JsonObject;
import io.redrive.cli.terminal.Printable;
import io.redrive.cli.terminal.TextTable;
import io.redrive.cli.terminal.TextTable.Column;
import io.redrive.events.NamePattern;
import io.redrive.operations.RouteOperations;
import io.redrive.operations.RouteStatus;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "list", description = "List routes by name: where they lead, and how the destination does.")
final class RoutesList extends RouteCommand {

    @Option(names = "--json", description = "One JSON object for each route.")
    private boolean json;

    RoutesList(Context context) {
        super(context);
    }

    @Override
    int run(RouteOperations routes) {
        List<RouteStatus> found = routes.list();
        if (json) {
            found.forEach(route -> say(object(route)));
        } else if (found.isEmpty()) {
            say("no routes; the configuration of the server names them, redrive.routes");
        } else {
            say(table(found, context().time().now()));
        }
        return 0;
    }

    private static TextTable table(List<RouteStatus> routes, Instant now) {
        TextTable table = new TextTable(
                Column.left("route"),
                Column.elastic("state"),
                Column.left("breaker").droppable(2),
                Column.elastic("events").droppable(1),
                Column.elastic("url"));
        routes.forEach(route -> table.add(
                Printable.line(route.name()),
                Printable.line(state(route, now)),
                route.breaker(),
                names(route),
                Printable.line(route.url())));
        return table;
    }

    private static String names(RouteStatus route) {
        return route.events().stream().map(NamePattern::text).collect(Collectors.joining(", "));
    }

    private static String state(RouteStatus route, Instant now) {
        if (route.problem().isPresent()) {
            return "cannot deliver: " + route.problem().get();
        }
        if (route.disabled().isPresent()) {
            return "disabled by " + route.disabled().get().operator() + " "
                    + Printable.age(route.disabled().get().since(), now) + ": "
                    + route.disabled().get().reason();
        }
        return route.failingSince()
                .map(since -> "failing since " + Printable.age(since, now)
                        + route.disabledAt().map(end -> ", disabled at " + end).orElse(""))
                .orElse("delivers");
    }

    private static JsonObject object(RouteStatus route) {
        JsonObject json = new JsonObject()
                .put("name", route.name())
                .put("events", route.events().stream().map(NamePattern::text).toList())
                .put("url", route.url())
                .put("signature", route.signature())
                .put("enabled", route.disabled().isEmpty())
                .put("breaker", route.breaker())
                .put("failing_since", route.failingSince().orElse(null))
                .put("problem", route.problem().orElse(null));
        route.disabled()
                .ifPresent(pause -> json.put("disabled_by", pause.operator())
                        .put("disabled_since", pause.since())
                        .put("reason", pause.reason()));
        return json;
    }
}
