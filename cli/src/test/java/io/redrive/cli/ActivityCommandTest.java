package io.redrive.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.cli.terminal.PersonAtTerminal;
import io.redrive.cli.terminal.Printable;
import io.redrive.core.AdaptiveLimit;
import io.redrive.events.activity.ActivityRecorder;
import io.redrive.pipeline.Pipeline;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ActivityCommandTest {

    private final LetterDesk desk = new LetterDesk();

    /** An hour in which two nodes work on two names; one name is retried often. */
    private void busyHour() {
        Instant end = desk.time.now();
        for (int node = 1; node <= 2; node++) {
            ActivityRecorder recorder = new ActivityRecorder("node-" + node);
            for (int minute = 60; minute > 0; minute--) {
                Instant at = end.minus(Duration.ofMinutes(minute));
                for (int i = 0; i < minute % 7; i++) {
                    recorder.published("order.paid", i == 5, at);
                    recorder.handled("order.paid", Duration.ofMillis(10L * i), at);
                    recorder.done("order.paid", Duration.ofMillis(35L * i), at);
                    recorder.batch("order.paid", i == 5, at);
                }
                recorder.retried("invoice.created.for-a-customer-with-a-long-name", at);
                recorder.retried("invoice.created.for-a-customer-with-a-long-name", at);
                recorder.dead("invoice.created.for-a-customer-with-a-long-name", at);
                recorder.write(desk.store.activity(), at);
            }
            recorder.writeAll(desk.store.activity());
        }
    }

    @Test
    void shows_totals_names_and_alerts_of_all_nodes() {
        busyHour();
        Ran ran = desk.run("activity");
        assertThat(ran.code()).isZero();
        assertThat(ran.out())
                .contains("since 2025-12-31T23:00:00Z, a bar for each 3m")
                .containsPattern("published +340 +5\\.7/min  [▁▂▃▄▅▆▇█]{20}")
                .containsPattern("duplicates +16 +0\\.3/min")
                .containsPattern("done +356 +5\\.9/min")
                .containsPattern("retried +240 +4\\.0/min  █{20}")
                .containsPattern("handler +p50 10ms, p95 39ms, p99 51ms")
                .containsPattern("latency +p50 ")
                .contains("16 of 356 batches ran into the time limit")
                .containsPattern("order\\.paid +340 +356 +0\\.0% +0 +10ms +39ms  [▁▂▃▄▅▆▇█]{20}")
                .containsPattern("invoice\\.created\\.for-a-customer-with-a-long-name +0 +0 +66\\.7% +120 +·{20}")
                .containsPattern("ALERT retry_rate \\d+\\.\\d% \\(at most 10\\.0%\\)");
    }

    @ParameterizedTest
    @ValueSource(ints = {60, 80, 120})
    void fits_the_terminal(int columns) {
        busyHour();
        Ran ran = desk.at(new PersonAtTerminal(columns, "", "")).run("activity");
        assertThat(ran.out().lines()).allMatch(line -> Printable.width(line) <= columns);
        assertThat(ran.out()).contains("order.paid").contains("p95");
    }

    @Test
    void draws_bars_in_ascii_where_the_locale_is_not_utf_8() {
        busyHour();
        Ran ran = desk.environment(Map.of("REDRIVE_STORE", "orders.db", "LANG", "C"))
                .run("activity");
        assertThat(ran.out()).matches("\\A\\p{ASCII}*\\z").contains("@@@@@");
    }

    @Test
    void shows_the_names_that_fit_a_pattern() {
        busyHour();
        assertThat(desk.run("activity --name order.*").out())
                .startsWith("order.*, since ")
                .contains("order.paid")
                .doesNotContain("invoice.created");
        assertThat(desk.run("activity --name nothing.here").out())
                .contains("no activity of this name; nodes write once a minute");
    }

    @Test
    void limits_the_names_and_says_how_many_are_left_out() {
        busyHour();
        Ran ran = desk.run("activity --limit 1");
        assertThat(ran.out()).contains("invoice.created").doesNotContain("order.paid");
        assertThat(ran.err()).contains("and 1 more names; see --limit and --name");
    }

    @Test
    void prints_json() {
        busyHour();
        String json = desk.run("activity --json --limit 1 --name order.*").out();
        assertThat(json)
                .startsWith(
                        "{\"from\":\"2025-12-31T23:00:00Z\",\"until\":\"2026-01-01T00:00:00Z\",\"slice_seconds\":180,"
                                + "\"published\":340,\"duplicates\":16,\"done\":356,")
                .contains("\"handler_time\":{\"count\":356,\"p50_ms\":9.728")
                .contains("\"names\":[{\"name\":\"order.paid\"")
                .contains("\"done_by_slice\":[")
                .contains("\"alert\":\"retry_rate\",\"raised\":true");
        assertThat(json.lines()).hasSize(1);
    }

    private void nodeWithSizes() {
        Pipeline.on(desk.store)
                .time(desk.time)
                .node("shop-1")
                .executor(Runnable::run)
                .on("mail.*", event -> {})
                .adaptiveLimit("mail.*", AdaptiveLimit.between(1, 64))
                .build()
                .step();
    }

    @Test
    void shows_the_sizes_that_live_nodes_chose_and_why() {
        nodeWithSizes();
        assertThat(desk.at(new PersonAtTerminal(200, "", "")).run("activity").out())
                .contains("node shop-1 chose")
                .containsPattern(
                        "lane domain +200 +claims +200-2,000 +the least of the profile; handlers ended 0 events/s")
                .containsPattern("handler mail\\.\\* +4 +calls at once +1-64 +no window of calls has ended")
                .doesNotContain("lane suspect");
        assertThat(desk.run("activity --json").out())
                .contains("\"nodes\":[{\"node\":\"shop-1\",\"sizes\":[{\"subject\":\"lane critical\",\"size\":40,")
                .contains(
                        "{\"subject\":\"handler mail.*\",\"size\":4,\"unit\":\"calls at once\",\"least\":1,\"most\":64,");
    }

    @Test
    void sizes_of_nodes_fit_a_narrow_terminal_and_vanish_with_their_node() {
        nodeWithSizes();
        assertThat(desk.at(new PersonAtTerminal(60, "", ""))
                        .run("activity")
                        .out()
                        .lines())
                .anyMatch(line -> line.startsWith("lane domain"))
                .allMatch(line -> Printable.width(line) <= 60);
        desk.time.advance(Duration.ofMinutes(1));
        assertThat(desk.run("activity").out()).doesNotContain("shop-1");
    }

    @Test
    void an_empty_store_has_no_activity() {
        Ran ran = desk.run("activity");
        assertThat(ran.code()).isZero();
        assertThat(ran.out()).contains("no activity; nodes write once a minute").contains("no alert is raised");
    }

    @Test
    void reads_days_by_the_hour() {
        busyHour();
        assertThat(desk.run("activity --since 7d").out())
                .contains("a bar for each 7h")
                .containsPattern("done +356 +2\\.1/h ");
        assertThat(desk.run("activity --since 2025-12-31").out()).containsPattern("done +356 ");
    }

    @Test
    void refuses_wrong_input() {
        refused("activity --since 61d", "since must be between 1 minute and 60 days");
        refused("activity --since 10s", "since must be between 1 minute and 60 days");
        refused("activity --since 2027-01-01", "since must be between 1 minute and 60 days");
        refused("activity --since soon", "--since must be a time ago such as 2h");
        refused("activity --name order*", "name pattern must be an event name");
        refused("activity --limit 0", "--limit must be at least 1, got 0");
    }

    private void refused(String command, String message) {
        Ran ran = desk.run(command);
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains(message);
        assertThat(ran.out()).isEmpty();
    }
}
