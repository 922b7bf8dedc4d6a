package io.redrive.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.JdbcStores;
import io.redrive.cli.terminal.PersonAtTerminal;
import io.redrive.core.Time;
import io.redrive.events.DeadLetterJson;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo with a second of traffic, on a real file and in real time, and the letters left by the demo. */
final class DemoTest {

    @TempDir
    private static Path folder;

    private static Path file;
    private static Ran demo;

    @BeforeAll
    static void play() {
        file = folder.resolve("events.db");
        demo = Ran.redrive(
                Time.system(), "demo", "--no-server", "--seconds", "1", "--rate", "60", "--store", file.toString());
    }

    @Test
    void the_demo_ends_well_and_prints_no_stray_line() {
        assertThat(demo.err()).isEmpty();
        assertThat(demo.code()).isZero();
        assertThat(demo.out()).doesNotContain("INFO", "\u001b");
        assertThat(folder.resolve("events.db.log")).content().contains("Retrying in");
    }

    @Test
    void every_event_is_accounted_for_in_the_end() {
        String end = demo.out().lines().filter(line -> line.startsWith("+")).reduce("", (first, last) -> last);
        Matcher told = Pattern.compile(
                        "(\\d+) published, (\\d+) done, 0 retrying, (\\d+) dead, (\\d+) retries, (\\d+) duplicates")
                .matcher(end);

        assertThat(told.find()).as(end).isTrue();
        assertThat(number(told, 1)).isEqualTo(60);
        assertThat(number(told, 2) + number(told, 3)).isEqualTo(60);
        assertThat(number(told, 4)).isPositive();
        assertThat(number(told, 5)).isPositive();
        assertThat(demo.out()).doesNotContain("Still in the store");
    }

    @Test
    void the_demo_leaves_dead_letters_of_every_kind_of_trouble() {
        Ran letters = Ran.redrive(Time.system(), "dlq", "list", "--json", "--store", file.toString());

        Set<String> reasons = letters.out()
                .lines()
                .map(line -> DeadLetterJson.read(line, 1))
                .map(letter -> letter.event().name() + " " + letter.reason().code())
                .collect(Collectors.toSet());

        assertThat(reasons)
                .contains(
                        "ml.trial.completed max_attempts_exceeded",
                        "order.paid max_attempts_exceeded",
                        "order.created invalid_event",
                        "ui.command.save timeout");
    }

    @Test
    void the_commands_that_the_demo_proposes_work() {
        Matcher proposed =
                Pattern.compile("\\./redrive (dlq (?:groups|show).*)").matcher(demo.out());
        int count = 0;
        for (; proposed.find(); count++) {
            Ran ran = Ran.redrive(Time.system(), proposed.group(1).split(" "));
            assertThat(ran.code()).as(proposed.group()).isZero();
        }
        assertThat(count).isEqualTo(2);
        assertThat(demo.out()).contains("./redrive dlq redrive --canary --fingerprint ");
    }

    @Test
    void at_a_terminal_the_demo_redraws_one_screen() {
        PersonAtTerminal person = new PersonAtTerminal(90, "", "");
        Context context = new Context(Time.system(), new JdbcStores(), person, InputStream.nullInputStream());

        String out = Ran.redrive(
                        context,
                        "demo",
                        "--no-server",
                        "--fixed",
                        "--seconds",
                        "1",
                        "--store",
                        folder.resolve("live.db").toString())
                .out();

        assertThat(out)
                .contains("\u001b[?25l", "\u001b[?25h", "ml.trial.completed")
                .contains("IllegalArgumentException: an ord")
                .doesNotContain("NumberFormatException");
        assertThat(Pattern.compile("\u001b\\[\\d+A").matcher(out).results().count())
                .isGreaterThan(3);
        String screen = out.substring(out.indexOf("event "), out.indexOf("Next"));
        assertThat(screen.replaceAll("\u001b\\[[?]?\\d*[a-zA-Z]", "").lines())
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(90));
    }

    @Test
    void a_demo_without_the_server_says_how_to_get_the_console() {
        Ran ran = Ran.redrive(
                Time.system(),
                "demo",
                "--seconds",
                "1",
                "--rate",
                "1",
                "--store",
                folder.resolve("alone.db").toString());

        assertThat(ran.err()).contains("the console needs the server", "./redrive demo");
        assertThat(ran.code()).isZero();
    }

    @Test
    void absurd_lengths_and_rates_are_wrong_input() {
        assertThat(Ran.redrive("demo", "--seconds", "0").code()).isEqualTo(2);
        assertThat(Ran.redrive("demo", "--rate", "-1").err()).contains("--rate must be between 0 and 10000, got -1");
    }

    private static int number(Matcher found, int group) {
        return Integer.parseInt(found.group(group));
    }
}
