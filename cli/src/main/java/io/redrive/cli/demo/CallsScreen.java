package io.redrive.cli.demo;

import io.redrive.core.CircuitBreaker;
import io.redrive.core.DurationText;
import io.redrive.core.Failure;
import io.redrive.core.HasStatus;
import io.redrive.core.RetryListener;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import picocli.CommandLine.Help.Ansi;

/** Prints a line for each attempt of a call: elapsed time, attempt number, outcome, wait. */
final class CallsScreen implements RetryListener {

    private final PrintWriter out;
    private final Ansi ansi;
    private int scene;

    CallsScreen(PrintWriter out, Ansi ansi) {
        this.out = out;
        this.ansi = ansi;
    }

    void scene(String title, String... text) {
        say("");
        say(styled("bold", ++scene + ". " + title));
        for (String line : text) {
            say("   " + line);
        }
    }

    void say(String line) {
        out.println(line);
        out.flush();
    }

    void sayFaintly(String line) {
        say(styled("faint", line));
    }

    /** Prints a line of the log. */
    void log(String level, String message) {
        say("   log " + styled(level.equals("ERROR") ? "red" : "faint", level + " " + message));
    }

    Ansi ansi() {
        return ansi;
    }

    @Override
    public void onRetry(Retrying event) {
        String asked = event.failure()
                .hint()
                .map(hint -> "; the server asked for " + DurationText.format(hint))
                .orElse("");
        String outcome = styled("yellow", outcome(event.failure()));
        String wait = styled("faint", "wait " + rounded(event.delay()) + asked);
        attempt(event.elapsed(), event.attempt(), event.maxAttempts(), outcome + "  " + wait);
    }

    @Override
    public void onSuccess(Succeeded event) {
        attempt(event.elapsed(), event.attempts(), event.maxAttempts(), styled("green", "200 success"));
    }

    @Override
    public void onGaveUp(GaveUp event) {
        if (event.attempts() == 0) {
            say("   " + styled("red", "refused without an attempt") + ": " + event.reason());
            return;
        }
        String outcome = styled("red", outcome(event.failure()));
        attempt(event.elapsed(), event.attempts(), event.maxAttempts(), outcome + "  gave up: " + event.reason());
    }

    @Override
    public void onBreakerChanged(BreakerChanged event) {
        String color = event.to() == CircuitBreaker.State.CLOSED ? "green" : "magenta";
        say("   " + styled(color, "breaker '" + event.breaker() + "': " + event.from() + " -> " + event.to()));
    }

    private void attempt(Duration elapsed, int attempt, int of, String outcome) {
        say(String.format(Locale.ROOT, "   +%5.3fs  attempt %d/%d  %s", elapsed.toNanos() / 1e9, attempt, of, outcome));
    }

    private static String outcome(Failure failure) {
        if (failure instanceof Failure.Thrown thrown && thrown.error() instanceof HasStatus answer) {
            return Integer.toString(answer.status());
        }
        return failure.message();
    }

    private static String rounded(Duration delay) {
        return DurationText.format(Duration.ofMillis(Math.round(delay.toNanos() / 1e6)));
    }

    private String styled(String style, String text) {
        return ansi.enabled() ? ansi.string("@|" + style + " " + text + "|@") : text;
    }
}
