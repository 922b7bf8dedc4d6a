package io.redrive.examples.figures;

import io.redrive.core.Attempt;
import io.redrive.core.Backoff;
import io.redrive.core.Decision;
import io.redrive.core.Failure;
import io.redrive.core.Jitter;
import io.redrive.core.RetryPolicy;
import io.redrive.core.Schedule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Figures of the waits of each backoff and each jitter, computed by the policies. */
public final class BackoffFigures {

    private static final int ATTEMPTS = 9;
    private static final int DRAWS = 40;
    private static final Failure FAILURE = Failure.kind("timeout");

    private BackoffFigures() {}

    /** The delay after each failed attempt, before jitter. */
    public static String schedules() {
        Duration second = Duration.ofSeconds(1);
        Duration cap = Duration.ofSeconds(30);
        Map<String, Backoff> backoffs = new LinkedHashMap<>();
        backoffs.put("fixed(5s)", Backoff.fixed(Duration.ofSeconds(5)));
        backoffs.put("linear(1s, 2s, 30s)", Backoff.linear(second, Duration.ofSeconds(2), cap));
        backoffs.put("exponential(1s, 30s, 1.5)", Backoff.exponential(second, cap, 1.5));
        backoffs.put("exponential(1s, 30s, 2)", Backoff.exponential(second, cap, 2.0));
        backoffs.put("delays(1s, 1s, 20s)", Backoff.delays(second, second, Duration.ofSeconds(20)));
        List<String> colours = List.of(Svg.GREY, Svg.GREEN, Svg.PURPLE, Svg.BLUE, Svg.ORANGE);

        Chart chart = new Chart("Delay after each failed attempt, for each kind of backoff", 1, 330);
        Panel panel = new Panel(
                "Delay before jitter", Axis.linear("failed attempt", 1, 10, 1), Axis.linear("delay (s)", 0, 32, 4));
        int next = 0;
        for (Map.Entry<String, Backoff> entry : backoffs.entrySet()) {
            String colour = colours.get(next++);
            List<Panel.Point> points = new ArrayList<>();
            for (int attempt = 1; attempt <= 10; attempt++) {
                points.add(new Panel.Point(attempt, seconds(entry.getValue().delay(attempt))));
            }
            chart.legend(entry.getKey(), colour);
            panel.line(colour, points).dots(colour, 3.2, 1, points);
        }
        return chart.panel(panel).svg();
    }

    /** Least, most and forty draws of the wait after each attempt, for each jitter. */
    public static String bands() {
        Map<String, Jitter> jitters = new LinkedHashMap<>();
        jitters.put("none", Jitter.none());
        jitters.put("factor(0.2)", Jitter.factor(0.2));
        jitters.put("additive(0.2)", Jitter.additive(0.2));
        jitters.put("equal", Jitter.equal());
        jitters.put("full", Jitter.full());
        jitters.put("decorrelated", Jitter.decorrelated());
        List<String> colours = List.of(Svg.GREY, Svg.BLUE, Svg.PURPLE, Svg.GREEN, Svg.ORANGE, Svg.RED);
        Chart chart =
                new Chart("Range and sample of the wait after each failed attempt, for each kind of jitter", 3, 250);
        int next = 0;
        for (Map.Entry<String, Jitter> entry : jitters.entrySet()) {
            chart.panel(band(entry.getKey(), entry.getValue(), colours.get(next++)));
        }
        return chart.svg();
    }

    private static Panel band(String name, Jitter jitter, String colour) {
        RetryPolicy policy = RetryPolicy.builder()
                .maxAttempts(ATTEMPTS)
                .backoff(Backoff.exponential(Duration.ofSeconds(1), Duration.ofSeconds(30), 2.0))
                .jitter(jitter)
                .build();
        List<Panel.Point> base = new ArrayList<>();
        List<Panel.Point> least = new ArrayList<>();
        List<Panel.Point> most = new ArrayList<>();
        for (Schedule.Row row : policy.explain().rows()) {
            base.add(new Panel.Point(row.attempt(), seconds(row.base())));
            least.add(new Panel.Point(row.attempt(), seconds(row.least())));
            most.add(new Panel.Point(row.attempt(), seconds(row.most())));
        }
        return new Panel(
                        name, Axis.linear("failed attempt", 0.5, ATTEMPTS - 0.5, 1), Axis.linear("wait (s)", 0, 40, 10))
                .band(colour, least, most)
                .dots(colour, 1.3, 0.6, draws(policy))
                .dashed(Svg.GREY, base);
    }

    private static List<Panel.Point> draws(RetryPolicy policy) {
        SplittableRandom random = new SplittableRandom(2026);
        List<Panel.Point> draws = new ArrayList<>();
        for (int draw = 0; draw < DRAWS; draw++) {
            Duration previous = Duration.ZERO;
            for (int attempt = 1; attempt < ATTEMPTS; attempt++) {
                Decision decision = policy.decide(new Attempt(attempt, FAILURE, Duration.ZERO, previous, random));
                previous = ((Decision.RetryAfter) decision).delay();
                double spread = (draw % 20 - 9.5) / 40;
                draws.add(new Panel.Point(attempt + spread, seconds(previous)));
            }
        }
        return draws;
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
