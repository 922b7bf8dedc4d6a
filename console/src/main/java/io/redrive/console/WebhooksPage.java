package io.redrive.console;

import io.redrive.core.DurationText;
import io.redrive.events.LetterFilter;
import io.redrive.events.activity.ActivityCounts;
import io.redrive.events.activity.ActivityQuery;
import io.redrive.events.journal.FinishedEvent;
import io.redrive.operations.EventFinder;
import io.redrive.operations.FoundEvent;
import io.redrive.operations.RotatedSecret;
import io.redrive.operations.RouteOperations;
import io.redrive.operations.RouteStatus;
import io.redrive.operations.RouteTestResult;
import io.redrive.operations.Verb;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.springframework.web.servlet.function.ServerResponse;

/** Lists routes of webhooks with their health; sends a test, disables, enables and gives a new secret. Only where routes are served. */
final class WebhooksPage {

    /** How long a former secret signs beside a new one, and the words for it. */
    static final Map<String, String> GRACES = graces();

    /**
     * The facts of the page.
     *
     * @param routes the routes by name
     * @param lastHour what became of deliveries in the last hour, by the name of delivery events
     * @param secret a secret that was just made, shown this once
     */
    record View(List<RouteStatus> routes, Map<String, ActivityCounts> lastHour, Optional<RotatedSecret> secret) {

        /** Returns the deliveries of the last hour in words. */
        String lastHour(RouteStatus route) {
            ActivityCounts counts = lastHour.get(route.eventName());
            return counts == null
                    ? "nothing in the last hour"
                    : Format.number(counts.done()) + " delivered, " + Format.number(counts.retried()) + " retried, "
                            + Format.number(counts.dead()) + " dead in the last hour";
        }

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

    /**
     * An answer of a destination.
     *
     * @param at when the delivery ended or the attempt began
     * @param words how the delivery went
     * @param style the class in the stylesheet
     * @param text the error and the answer; empty for a delivery that was taken
     * @param letter the dead letter; empty for another delivery
     */
    record Answer(Instant at, String words, String style, String text, OptionalLong letter) {}

    /**
     * The facts of the page of one route.
     *
     * @param route the route
     * @param lastHour the deliveries of the last hour in words
     * @param waiting deliveries that wait or are under way, at most {@link #SHOWN} and one more
     * @param answers the last answers, the newest first
     * @param remembered true when the journal remembers deliveries that were taken
     */
    record Detail(
            RouteStatus route, String lastHour, List<FoundEvent> waiting, List<Answer> answers, boolean remembered) {

        /** Returns the first line of the page. */
        String inWords() {
            String events = waiting.size() > SHOWN
                    ? "more than " + SHOWN + " events wait"
                    : waiting.isEmpty() ? "no event waits" : Format.counted(waiting.size(), "event") + " waiting";
            return route.name() + ": " + health(route).words() + ", breaker "
                    + route.breaker().replace('_', ' ') + ", " + events + ".";
        }

        List<FoundEvent> shownWaiting() {
            return waiting.subList(0, Math.min(SHOWN, waiting.size()));
        }
    }

    private static final int SHOWN = 20;
    private static final int ANSWERS = 15;

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
        return renderer.html(visit, "webhooks", view(visit, Optional.empty()));
    }

    private static View view(Visit visit, Optional<RotatedSecret> secret) {
        Map<String, ActivityCounts> lastHour = new HashMap<>();
        visit.operations()
                .activity()
                .read(ActivityQuery.last(Duration.ofHours(1), visit.now()))
                .names()
                .forEach(name -> lastHour.put(name.name(), name.totals().counts()));
        return new View(routes(visit).list(), lastHour, secret);
    }

    /** Shows one route: the events that wait for it, and the last answers of its destination. */
    ServerResponse route(Visit visit) {
        View all = view(visit, Optional.empty());
        RouteStatus route = all.routes().stream()
                .filter(each -> each.name().equals(visit.path("route")))
                .findFirst()
                .orElseThrow(() -> Refusal.missing(
                                "No route is called " + Format.brief(visit.path("route"), 60) + ".",
                                "Routes are written in the configuration of the server.")
                        .leadingTo("/webhooks", "Show the routes"));
        EventFinder finder = visit.operations().finder();
        return renderer.html(
                visit,
                "webhook",
                new Detail(
                        route,
                        all.lastHour(route),
                        finder.waiting(route.eventName(), SHOWN + 1),
                        answers(visit, route),
                        finder.rememberedSince().isPresent()));
    }

    /** Taken deliveries are in the journal, with their failed attempts; refused ones are dead letters. */
    private static List<Answer> answers(Visit visit, RouteStatus route) {
        EventFinder finder = visit.operations().finder();
        List<Answer> answers = new ArrayList<>();
        for (FinishedEvent event : finder.latest(route.eventName(), ANSWERS)) {
            answers.add(new Answer(
                    event.finished(),
                    "taken in " + Format.duration(event.duration()),
                    "badge good",
                    "",
                    OptionalLong.empty()));
            if (event.failed() > 0) {
                finder.failures(event)
                        .forEach(failure -> answers.add(new Answer(
                                failure.at(), "refused", "badge warn", failure.message(), OptionalLong.empty())));
            }
        }
        visit.operations()
                .letters()
                .newest(LetterFilter.ALL.withName(route.eventName()), Long.MAX_VALUE, ANSWERS)
                .forEach(letter -> answers.add(new Answer(
                        letter.deadAt(), "given up", "badge bad", letter.lastError(), OptionalLong.of(letter.id()))));
        return answers.stream()
                .sorted(Comparator.comparing(Answer::at).reversed())
                .limit(ANSWERS)
                .toList();
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
                RotatedSecret secret = routes(visit).rotate(route, Optional.of(grace(visit)));
                yield renderer.html(visit, "webhooks", view(visit, Optional.of(secret)));
            }
            default ->
                throw Refusal.missing(
                        "No command is called " + Format.brief(command, 40) + ".", "Go back to the webhooks.");
        };
    }

    private static Map<String, String> graces() {
        Map<String, String> graces = new LinkedHashMap<>();
        graces.put("1d", "signs for a day");
        graces.put("1h", "signs for an hour");
        graces.put("7d", "signs for a week");
        graces.put("0s", "ends at once");
        return graces;
    }

    /** A new secret is made only for an operator who has said what becomes of the former one: receivers may still use it. */
    private static Duration grace(Visit visit) {
        String chosen = visit.param("grace");
        if (visit.may(Verb.ROTATE_ROUTE) && !GRACES.containsKey(chosen)) {
            throw Refusal.wrong(
                    "Choose how long the former secret signs too, got '" + Format.brief(chosen, 20) + "'.",
                    "The secret was not changed. Go back to the webhooks.");
        }
        return GRACES.containsKey(chosen) ? DurationText.parse(chosen) : Duration.ZERO;
    }

    private static ServerResponse tested(Visit visit, String route, RouteTestResult result) {
        String words = result.delivered() ? " took the test message: " : " did not take the test message: ";
        return Renderer.redirect(
                visit, "/webhooks", route + words + result.summary() + ", " + Format.duration(result.took()) + ".");
    }
}
