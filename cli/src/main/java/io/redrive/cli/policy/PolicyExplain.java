package io.redrive.cli.policy;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.HelpOption;
import io.redrive.cli.command.JsonObject;
import io.redrive.cli.terminal.Printable;
import io.redrive.core.RetryPolicy;
import io.redrive.core.Schedule;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "explain",
        description = "Show when a policy would retry: its schedule, the worst case, and what looks like a mistake.",
        sortOptions = false,
        usageHelpAutoWidth = true,
        footerHeading = "%nExamples:%n",
        footer = {
            "  redrive policy explain --preset connection",
            "  redrive policy explain --preset events --max-attempts 5 --ttl 1h",
            "  redrive policy explain --file application.yml --at payments.retry",
            "  redrive policy explain --delays 1s,5s,30s --max-attempts 6 --jitter 0.1"
        })
final class PolicyExplain implements Runnable {

    @Mixin
    private HelpOption help = new HelpOption();

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by the parser before the command runs.
    private CommandSpec spec;

    @Mixin
    private PolicyOptions options = new PolicyOptions();

    @Option(names = "--json", description = "Print one JSON object instead of a table; times in milliseconds.")
    private boolean json;

    private final Context context;

    PolicyExplain(Context context) {
        this.context = context;
    }

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        try {
            PolicySettings settings = options.settings(context.environment());
            RetryPolicy policy = settings.policy();
            Schedule schedule = policy.explain();
            List<String> warnings = new ArrayList<>(schedule.warnings());
            warnings.addAll(settings.notes());
            if (json) {
                out.println(Printable.screen(json(policy, schedule, warnings).toString()));
            } else {
                ScheduleTable table = new ScheduleTable(schedule, warnings);
                table.lines(spec.commandLine().getColorScheme().ansi())
                        .forEach(line -> out.println(Printable.screen(line)));
            }
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private static JsonObject json(RetryPolicy policy, Schedule schedule, List<String> warnings) {
        List<JsonObject> waits = schedule.rows().stream()
                .map(row -> new JsonObject()
                        .put("attempt", row.attempt())
                        .put("base_ms", millis(row.base()))
                        .put("least_ms", millis(row.least()))
                        .put("most_ms", millis(row.most()))
                        .put("cumulative_ms", millis(row.cumulative())))
                .toList();
        return new JsonObject()
                .put("policy", schedule.policy())
                .put("max_attempts", policy.maxAttempts())
                .put("ttl_ms", policy.maxDuration().map(PolicyExplain::millis).orElse(null))
                .put("waits", waits)
                .put(
                        "worst_case_ms",
                        schedule.worstCase().map(PolicyExplain::millis).orElse(null))
                .put("warnings", warnings);
    }

    /** Exact, and without an exponent. */
    private static Number millis(Duration duration) {
        BigDecimal millis = BigDecimal.valueOf(duration.toNanos(), 6).stripTrailingZeros();
        return millis.scale() < 0 ? millis.setScale(0) : millis;
    }
}
