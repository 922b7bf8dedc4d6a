package io.redrive.console;

import io.redrive.operations.RotatedSecret;
import io.redrive.operations.RouteOperations;
import io.redrive.operations.RouteStatus;
import io.redrive.operations.RouteTestResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.springframework.web.servlet.function.ServerResponse;

/** Lists routes of webhooks with their health; sends a test, disables, enables and gives a new secret. Only where routes are served. */
final class WebhooksPage {

    /**
     * The facts of the page.
     *
     * @param routes the routes by name
     * @param secret a secret that was just made, shown this once
     */
    record View(List<RouteStatus> routes, Optional<RotatedSecret> secret) {

        /** Returns the first line of the page. */
        String inWords() {
            long failing = routes.stream()
                    .filter(route -> health(route).style().equals("badge bad"))
                    .count();
            String all = Format.counted(routes.size(), "route");
            return routes.isEmpty()
                    ? "No route of webhooks."
                    : all + (failing == 0 ? ", all delivering." : ", " + Format.number(failing) + " not delivering.");
        }
    }

    /**
     * How a route is, in words.
     *
     * @param words the state
     * @param style the class in the stylesheet
     */
    record Health(String words, String style) {}

    private final Renderer renderer;

    WebhooksPage(Renderer renderer) {
        this.renderer = renderer;
    }

    static Health health(RouteStatus route) {
        if (route.disabled().isPresent()) {
            return new Health("disabled", "badge bad");
        }
        if (route.problem().isPresent()) {
            return new Health("cannot deliver", "badge bad");
        }
        if (route.failingSince().isPresent()) {
            return new Health("failing", "badge bad");
        }
        return route.breaker().equals("closed")
                ? new Health("delivering", "badge good")
                : new Health("breaker " + route.breaker().replace('_', ' '), "badge warn");
    }

    private static RouteOperations routes(Visit visit) {
        return visit.routes()
                .orElseThrow(() -> Refusal.missing(
                        "This application delivers no webhooks.",
                        "Routes of webhooks are served by the Redrive server."));
    }

    ServerResponse show(Visit visit) {
        return renderer.html(visit, "webhooks", new View(routes(visit).list(), Optional.empty()));
    }

    ServerResponse command(Visit visit) {
        String route = visit.param("route");
        String command = visit.path("command");
        return switch (command) {
            case "test" -> tested(visit, route, routes(visit).test(route));
            case "disable" -> {
                routes(visit).disable(route, visit.param("reason"));
                yield Renderer.redirect(visit, "/webhooks", route + " is disabled: its events wait.");
            }
            case "enable" -> {
                routes(visit).enable(route);
                yield Renderer.redirect(visit, "/webhooks", route + " is enabled.");
            }
            case "rotate" -> {
                // Shown on this very answer: a secret must not lie in a cookie or an address.
                RotatedSecret secret = routes(visit).rotate(route, Optional.<Duration>empty());
                yield renderer.html(visit, "webhooks", new View(routes(visit).list(), Optional.of(secret)));
            }
            default ->
                throw Refusal.missing(
                        "No command is called " + Format.brief(command, 40) + ".", "Go back to the webhooks.");
        };
    }

    private static ServerResponse tested(Visit visit, String route, RouteTestResult result) {
        String words = result.delivered() ? " took the test message: " : " did not take the test message: ";
        return Renderer.redirect(
                visit, "/webhooks", route + words + result.summary() + ", " + Format.duration(result.took()) + ".");
    }
}
