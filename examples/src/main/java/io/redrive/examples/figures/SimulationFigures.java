package io.redrive.examples.figures;

import io.redrive.examples.simulation.Contention;
import io.redrive.examples.simulation.Storm;
import io.redrive.examples.simulation.Timeline;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import java.util.function.ToDoubleFunction;

/** What the simulations show, drawn. */
public final class SimulationFigures {

    private static final int SHOWN_SECONDS = 110;

    private SimulationFigures() {}

    /** Calls and time against the number of clients contending for a row. */
    public static String contention() {
        Map<String, String> colours = new LinkedHashMap<>();
        colours.put("no backoff", Svg.GREY);
        colours.put("exponential, no jitter", Svg.RED);
        colours.put("equal jitter", Svg.GREEN);
        colours.put("full jitter", Svg.BLUE);
        colours.put("decorrelated jitter", Svg.ORANGE);
        Chart chart = new Chart("Calls and time until all clients have written one row", 2, 330);
        Panel calls = new Panel(
                "Calls until everybody has written",
                Axis.linear("clients", 0, 100, 20),
                Axis.linear("calls", 0, 2_500, 500));
        Panel time = new Panel(
                "Time until everybody has written",
                Axis.linear("clients", 0, 100, 20),
                Axis.logarithmic("time (s, logarithmic)", 0.1, 100));
        colours.forEach((name, colour) -> {
            chart.legend(name, colour);
            Map<Integer, Contention.Cost> costs = Findings.contention().get(name);
            series(calls, colour, points(costs, Contention.Cost::calls));
            series(time, colour, points(costs, cost -> cost.millis() / 1_000));
        });
        return chart.panel(calls).panel(time).svg();
    }

    /** Goodput and amplification before, during and after the loss of capacity. */
    public static String storm() {
        Map<String, String> colours = new LinkedHashMap<>();
        colours.put("no retry", Svg.GREY);
        colours.put("three retries, no jitter", Svg.RED);
        colours.put("three retries, full jitter", Svg.ORANGE);
        colours.put("… with a retry budget", Svg.BLUE);
        colours.put("… with a circuit breaker", Svg.PURPLE);
        Storm.Setting setting = Storm.Setting.usual();
        Axis seconds = Axis.linear("time (s)", 0, SHOWN_SECONDS, 10);
        Panel goodput = new Panel("Goodput", seconds, Axis.linear("answers in time, per second", 0, 1_000, 200))
                .shade(setting.cutFrom(), setting.cutUntil(), "capacity at 30 %");
        Panel amplification = new Panel("Amplification", seconds, Axis.linear("attempts per first attempt", 0, 8, 2))
                .shade(setting.cutFrom(), setting.cutUntil(), "capacity at 30 %");
        Chart chart = new Chart("Goodput and amplification when a server loses capacity for 20 seconds", 1, 270);
        colours.forEach((name, colour) -> {
            chart.legend(name, colour);
            Timeline timeline = Findings.storm(setting.queue()).get(name);
            goodput.line(colour, perSecond(second -> timeline.goodput(second, second + 1)));
            amplification.line(colour, perSecond(second -> timeline.amplification(second, second + 1)));
        });
        return chart.panel(goodput).panel(amplification).svg();
    }

    private static void series(Panel panel, String colour, List<Panel.Point> points) {
        panel.line(colour, points).dots(colour, 3, 1, points);
    }

    private static List<Panel.Point> points(
            Map<Integer, Contention.Cost> costs, ToDoubleFunction<Contention.Cost> value) {
        List<Panel.Point> points = new ArrayList<>();
        costs.forEach((clients, cost) -> points.add(new Panel.Point(clients, value.applyAsDouble(cost))));
        return points;
    }

    private static List<Panel.Point> perSecond(IntToDoubleFunction value) {
        List<Panel.Point> points = new ArrayList<>();
        for (int second = 0; second < SHOWN_SECONDS; second++) {
            points.add(new Panel.Point(second + 0.5, value.applyAsDouble(second)));
        }
        return points;
    }
}
