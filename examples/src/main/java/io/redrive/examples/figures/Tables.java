package io.redrive.examples.figures;

import io.redrive.examples.simulation.Contention;
import io.redrive.examples.simulation.RateLimit;
import io.redrive.examples.simulation.Storm;
import io.redrive.examples.simulation.Timeline;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Supplier;

/** The results of the simulations, as the tables of the guide. */
public final class Tables {

    /** Enough attempts for every sample to be accepted. */
    public static final int NO_LIMIT = 100_000;

    private static final List<Integer> BURSTS = List.of(1, 5, 50);
    private static final List<Integer> QUEUES = List.of(500, 2_000, 100_000);

    private Tables() {}

    /** Calls and seconds of 100 contending clients. */
    public static String contention() {
        StringBuilder table = new StringBuilder("| 100 clients | calls | time |\n|---|---:|---:|\n");
        Findings.contention().forEach((name, byClients) -> {
            Contention.Cost cost = byClients.get(100);
            table.append(line("| %s | %,.0f | %.1f s |", name, cost.calls(), cost.millis() / 1_000));
        });
        return table.toString();
    }

    /** The effect of each kind of client on a server with reduced capacity. */
    public static String storm() {
        Storm.Setting setting = Storm.Setting.usual();
        StringBuilder table = new StringBuilder("| clients | goodput during the cut | goodput in the last 50 s"
                + " | recovers after | most attempts per first attempt, since the start"
                + " | … in the worst second |\n|---|---:|---:|---:|---:|---:|\n");
        Findings.storm(setting.queue())
                .forEach((name, timeline) -> table.append(line(
                        "| %s | %.0f/s | %.0f/s | %s | %.2f | %.2f |",
                        name,
                        timeline.goodput(setting.cutFrom(), setting.cutUntil()),
                        timeline.goodput(setting.seconds() - 50, setting.seconds()),
                        recovery(timeline, setting),
                        timeline.mostCumulativeAmplification(),
                        timeline.mostAmplification())));
        return table.toString();
    }

    /** How recovery depends on how much work the server lets pile up. */
    public static String stormByQueue() {
        Storm.Setting setting = Storm.Setting.usual();
        StringBuilder table = new StringBuilder("| recovers after, with a queue of |");
        QUEUES.forEach(queue -> table.append(String.format(Locale.ROOT, " %,d requests |", queue)));
        table.append("\n|---|---:|---:|---:|\n");
        for (String name : Findings.storm(setting.queue()).keySet()) {
            table.append("| ").append(name).append(" |");
            for (int queue : QUEUES) {
                table.append(' ')
                        .append(recovery(Findings.storm(queue).get(name), setting))
                        .append(" |");
            }
            table.append('\n');
        }
        return table.toString();
    }

    /** 429s when 200 samples come at once, without and with jitter. */
    public static String rateLimitStorm() {
        StringBuilder table = new StringBuilder("| attempts | API lets through at once | 429s: exponential, no jitter"
                + " | ±25 % | full | fewer with ±25 % | fewer with full |\n|---|---:|---:|---:|---:|---:|---:|\n");
        for (int attempts : List.of(3, NO_LIMIT)) {
            for (int burst : BURSTS) {
                double none = limited(burst, attempts, "exponential");
                double factor = limited(burst, attempts, "exponential ±25 %");
                double full = limited(burst, attempts, "exponential, full");
                table.append(line(
                        "| %s | %d | %,.0f | %,.0f | %,.0f | %s | %s |",
                        attempts(attempts), burst, none, factor, full, fewer(none, factor), fewer(none, full)));
            }
        }
        return table.toString();
    }

    /** Retries of a run of 10,000 samples, fixed against exponential. */
    public static String rateLimitRun() {
        StringBuilder table = new StringBuilder("| attempts | API lets through at once | retries: fixed 1 s"
                + " | fixed ±25 % | exponential ±25 % | fewer than fixed | samples lost: fixed | exponential ±25 %"
                + " |\n|---|---:|---:|---:|---:|---:|---:|---:|\n");
        for (int attempts : List.of(3, NO_LIMIT)) {
            for (int burst : BURSTS) {
                RateLimit.Cost fixed = run(burst, attempts, "fixed");
                RateLimit.Cost spread = run(burst, attempts, "fixed ±25 %");
                RateLimit.Cost exponential = run(burst, attempts, "exponential ±25 %");
                table.append(line(
                        "| %s | %d | %,.0f | %,.0f | %,.0f | %s | %,.0f | %,.0f |",
                        attempts(attempts),
                        burst,
                        fixed.retries(),
                        spread.retries(),
                        exponential.retries(),
                        fewer(fixed.retries(), exponential.retries()),
                        fixed.lost(),
                        exponential.lost()));
            }
        }
        return table.toString();
    }

    /** All tables by their names in the guide. */
    public static Map<String, Supplier<String>> all() {
        return Map.of(
                "contention", Tables::contention,
                "storm", Tables::storm,
                "storm-by-queue", Tables::stormByQueue,
                "rate-limit-storm", Tables::rateLimitStorm,
                "rate-limit-run", Tables::rateLimitRun);
    }

    private static double limited(int burst, int attempts, String wait) {
        return Findings.rateLimit(new Findings.RateLimitCase(200, burst, attempts, wait))
                .limited();
    }

    private static RateLimit.Cost run(int burst, int attempts, String wait) {
        return Findings.rateLimit(new Findings.RateLimitCase(10_000, burst, attempts, wait));
    }

    private static String attempts(int attempts) {
        return attempts == NO_LIMIT ? "until through" : Integer.toString(attempts);
    }

    private static String fewer(double than, double value) {
        return String.format(Locale.ROOT, "%.0f %%", 100 * (1 - value / than));
    }

    private static String recovery(Timeline timeline, Storm.Setting setting) {
        OptionalInt seconds = timeline.recovery(setting.cutUntil());
        return seconds.isPresent() ? seconds.getAsInt() + " s" : "never";
    }

    private static String line(String format, Object... values) {
        return String.format(Locale.ROOT, format + "\n", values);
    }
}
