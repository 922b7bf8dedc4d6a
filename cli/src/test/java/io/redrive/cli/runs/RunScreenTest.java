package io.redrive.cli.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.cli.terminal.NoTerminal;
import io.redrive.cli.terminal.Paint;
import io.redrive.cli.terminal.PersonAtTerminal;
import io.redrive.cli.terminal.Terminal;
import io.redrive.items.Progress;
import io.redrive.items.RunListener;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Help.Ansi;

final class RunScreenTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final StringWriter err = new StringWriter();

    @Test
    void without_a_terminal_a_line_is_printed_at_intervals() {
        RunScreen screen = screen(new NoTerminal(), false);

        screen.begin("run a: b > c");
        for (int second = 0; second <= 11; second++) {
            screen.update(progress(100L * second, 5, 1, 1_200), Duration.ofSeconds(second), NOW);
        }
        screen.end(progress(1_200, 5, 1, 1_200), Duration.ofSeconds(12), NOW);

        assertThat(err.toString().lines())
                .containsExactly(
                        "run a: b > c",
                        "+5s  41%, 500 of 1,200, 100/s, 7s left, 5 retries, 1 dead",
                        "+10s  83%, 1,000 of 1,200, 100/s, 2s left, 5 retries, 1 dead",
                        "+12s  100%, 1,200 of 1,200, 100/s, 5 retries, 1 dead");
    }

    @Test
    void on_a_terminal_one_bar_is_redrawn_within_the_width() {
        RunScreen screen = screen(new PersonAtTerminal(100, "", ""), false);

        screen.begin("run a: b");
        screen.update(progress(0, 0, 0, 1_000), Duration.ZERO, NOW);
        screen.update(progress(500, 1, 0, 1_000), Duration.ofSeconds(1), NOW);
        screen.end(progress(1_000, 1, 0, 1_000), Duration.ofSeconds(2), NOW);

        assertThat(err.toString())
                .contains("\r\u001b[K" + "█".repeat(15) + "░".repeat(15)
                        + "  50%  500 of 1,000  500/s  1s left  1 retry  0 dead")
                .endsWith("█".repeat(30) + "  100%  1,000 of 1,000  500/s  1 retry  0 dead\n\u001b[?25h");
        assertThat(err.toString().split("[\r\n]"))
                .allMatch(line -> line.replaceAll("\u001b\\[\\S*?[Klh]", "").length() < 100);
    }

    @Test
    void a_short_run_has_no_rate_and_a_long_run_the_rate_of_its_whole_time() {
        RunScreen moment = screen(new NoTerminal(), false);
        moment.end(progress(20, 0, 0, 20), Duration.ofMillis(90), NOW);

        RunScreen told = screen(new NoTerminal(), false);
        told.update(progress(0, 0, 0, 500), Duration.ZERO, NOW);
        told.update(progress(490, 0, 0, 500), Duration.ofSeconds(4), NOW);
        told.end(progress(500, 0, 0, 500), Duration.ofSeconds(100), NOW);

        assertThat(err.toString().lines())
                .containsExactly(
                        "+0s  100%, 20 of 20, 0 retries, 0 dead", "+100s  100%, 500 of 500, 5.0/s, 0 retries, 0 dead");
    }

    @Test
    void ctrl_c_is_acknowledged_on_the_screen_at_once() {
        RunScreen piped = screen(new NoTerminal(), false);
        piped.stopping();
        assertThat(err.toString()).isEqualTo("stopping: calls under way may finish for up to 10s\n");

        RunScreen live = screen(new PersonAtTerminal(120, "", ""), false);
        live.stopping();
        live.update(progress(500, 1, 0, 1_000), Duration.ofSeconds(1), NOW);
        assertThat(err.toString()).contains("  stopping: calls under way may finish for up to 10s  50%");
    }

    @Test
    void the_bar_stays_when_a_server_asks_for_a_pause() {
        RunScreen screen = screen(new PersonAtTerminal(100, "", ""), false);
        screen.update(progress(0, 0, 0, 1_000), Duration.ZERO, NOW);
        screen.onSlowed(new RunListener.Slowed("r", "p", "summarize-and-translate", Duration.ofSeconds(9), NOW));
        screen.update(progress(500, 1, 0, 1_000), Duration.ofSeconds(1), NOW);

        assertThat(err.toString()).contains("█").endsWith("summarize-and-translate pauses 10s");
    }

    @Test
    void a_narrow_terminal_gets_the_words_without_the_bar() {
        RunScreen screen = screen(new PersonAtTerminal(45, "", ""), false);

        screen.update(progress(500, 1, 0, 1_000), Duration.ofSeconds(1), NOW);

        assertThat(err.toString()).contains("50%  500 of 1,000").doesNotContain("█");
    }

    @Test
    void trouble_with_the_store_is_reported_once() {
        RunScreen screen = screen(new NoTerminal(), false);
        RunListener.Trouble full = new RunListener.Trouble("r", new IllegalStateException("the disk is full"), NOW);

        screen.onTrouble(full);
        screen.onTrouble(full);

        assertThat(err.toString()).isEqualTo("trying again: the disk is full\n");
    }

    @Test
    void trouble_that_returns_is_reported_again() {
        RunScreen screen = screen(new NoTerminal(), false);
        IllegalStateException full = new IllegalStateException("the disk is full");

        screen.onTrouble(new RunListener.Trouble("r", full, NOW));
        screen.onTrouble(new RunListener.Trouble("r", full, NOW.plusSeconds(60)));
        screen.onTrouble(new RunListener.Trouble("r", full, NOW.plusSeconds(61)));

        assertThat(err.toString()).isEqualTo("trying again: the disk is full\n".repeat(2));
    }

    @Test
    void samples_from_before_a_resume_do_not_count_as_speed() {
        RunScreen screen = screen(new NoTerminal(), false);

        screen.update(new Progress(0, OptionalLong.empty(), 0, 0, 0, 0, 0, 0), Duration.ZERO, NOW);
        screen.update(progress(90_000, 0, 0, 100_000), Duration.ofSeconds(1), NOW);
        screen.update(progress(90_100, 0, 0, 100_000), Duration.ofSeconds(6), NOW);

        assertThat(err.toString()).contains("90,100 of 100,000, 20/s, 8m 15s left");
    }

    @Test
    void the_pause_of_a_stage_for_its_server_is_shown() {
        RunScreen screen = screen(new NoTerminal(), false);

        screen.onSlowed(new RunListener.Slowed("a", "p", "llm", Duration.ofSeconds(30), NOW));
        screen.update(progress(1, 0, 0, 2), Duration.ofSeconds(5), NOW.plusSeconds(10));
        screen.update(progress(1, 0, 0, 2), Duration.ofSeconds(60), NOW.plusSeconds(40));

        assertThat(err.toString().lines().toList())
                .satisfiesExactly(
                        first -> assertThat(first).endsWith("llm pauses 21s as its server asked"),
                        second -> assertThat(second).doesNotContain("pauses"));
    }

    @Test
    void quiet_prints_no_progress() {
        RunScreen screen = screen(new PersonAtTerminal(100, "", ""), true);

        screen.begin("run a");
        screen.update(progress(1, 0, 0, 2), Duration.ofSeconds(9), NOW);
        screen.end(progress(2, 0, 0, 2), Duration.ofSeconds(9), NOW);

        assertThat(err.toString()).isEmpty();
    }

    private RunScreen screen(Terminal terminal, boolean quiet) {
        return new RunScreen(new PrintWriter(err, true), new Paint(Ansi.OFF), terminal, quiet);
    }

    private static Progress progress(long processed, long retries, long dead, long size) {
        return new Progress(size, OptionalLong.of(size), processed - dead, 0, dead, retries, 0, 0);
    }
}
