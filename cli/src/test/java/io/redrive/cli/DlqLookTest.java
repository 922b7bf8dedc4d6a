package io.redrive.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.cli.terminal.PersonAtTerminal;
import io.redrive.cli.terminal.Printable;
import io.redrive.core.Reason;
import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetterJson;
import io.redrive.events.Fingerprint;
import io.redrive.events.Lane;
import io.redrive.events.Settlement;
import io.redrive.operations.Verb;
import io.redrive.pipeline.Pipeline;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands without effect on letters: list, groups, show, actions, stats. */
final class DlqLookTest {

    private final LetterDesk desk = new LetterDesk();

    @Test
    void an_error_type_that_its_message_repeats_is_said_once() {
        String message = "java.io.IOException: java.io.IOException: refused";
        long letter = desk.dead("order.paid", "{}", Reason.NOT_RETRYABLE, "IOException", message);
        for (String command : List.of("dlq list", "dlq groups", "causes list", "dlq show " + letter)) {
            assertThat(desk.run(command).out()).contains("IOException: refused").doesNotContain("IOException: java");
        }
    }

    @Test
    void list_is_a_table_with_ages() {
        desk.dead("order.paid");
        desk.time.advance(Duration.ofMinutes(3));
        desk.dead("ml.run.started", "{}", Reason.TIMEOUT, "TimeoutException", "no answer");

        Ran ran = desk.run("dlq list");

        assertThat(ran.err()).isEmpty();
        assertThat(ran.code()).isZero();
        assertThat(ran.out()).isEqualToNormalizingNewlines("""
                id  dead    event           attempts  reason                 cause         error
                 2  0s ago  ml.run.started         2  timeout                0f7fd2e1e3a6  TimeoutException: no answer
                 1  3m ago  order.paid             2  max_attempts_exceeded  4ff5a0d0b3a5  IOException: connection refused
                """.replace(
                        "4ff5a0d0b3a5", Fingerprint.of("IOException", "connection refused"))
                .replace("0f7fd2e1e3a6", Fingerprint.of("TimeoutException", "no answer")));
    }

    @Test
    void a_table_is_as_wide_as_the_terminal_and_no_wider() {
        desk.dead("order.paid", "{}", Reason.NOT_RETRYABLE, "IllegalStateException", "a long story ".repeat(30));
        desk.at(new PersonAtTerminal(100, "", ""));

        List<String> lines = desk.run("dlq list").out().lines().toList();

        assertThat(lines).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
        assertThat(lines.get(1)).hasSize(100).endsWith("…");
    }

    @ParameterizedTest
    @ValueSource(ints = {60, 80, 120})
    void no_table_is_wider_than_the_terminal(int columns) {
        for (int i = 0; i < 3; i++) {
            desk.dead(
                    "a.rather.long.event.name",
                    "{}",
                    Reason.MAX_ATTEMPTS_EXCEEDED,
                    "E" + "x".repeat(i),
                    "\u6f22 ".repeat(90));
        }
        desk.run("dlq purge 1 --yes", "--operator", "somebody with a long name");
        desk.at(new PersonAtTerminal(columns, "", ""));

        for (String command : List.of("dlq list", "dlq groups", "dlq actions")) {
            List<String> lines = desk.run(command).out().lines().toList();
            assertThat(lines).as(command).hasSizeGreaterThan(1);
            assertThat(lines)
                    .as(command)
                    .allSatisfy(line -> assertThat(Printable.width(line)).isLessThanOrEqualTo(columns));
        }
        assertThat(desk.run("dlq list").out()).contains("id", "dead", "event", "cause", "error");
        List<String> shown = desk.run("dlq show 2").out().lines().toList();
        assertThat(shown.subList(shown.indexOf("history"), shown.size()))
                .allSatisfy(line -> assertThat(Printable.width(line)).isLessThanOrEqualTo(columns));
    }

    @Test
    void show_takes_the_id_of_an_event_and_prints_the_newest_letter_of_the_event() {
        desk.dead(event -> event.id("order-4711").json("{}"), "order.paid", Reason.TIMEOUT, "E", "first");
        desk.time.advance(Duration.ofDays(2));
        desk.dead(event -> event.id("order-4711").correlationId("again"), "order.paid", Reason.TIMEOUT, "E", "second");

        Ran ran = desk.run("dlq show order-4711");

        assertThat(ran.out()).contains("letter 2  order.paid", "second");
        assertThat(ran.err()).contains("several letters; this is the newest of 2, 1");
        assertThat(desk.run("dlq list --event order-4711 --json").out().lines()).hasSize(2);
        assertThat(desk.input("{\"a\":1}")
                        .run("dlq edit order-4711 --payload -")
                        .out())
                .startsWith("letter 2: ");
    }

    @Test
    void actions_are_a_line_for_each_command_and_can_be_filtered() {
        for (int i = 0; i < 1_203; i++) {
            desk.dead("order.paid", "{}", Reason.TIMEOUT, "IOException", i < 3 ? "refused" : "no answer");
        }
        String slow = Fingerprint.of("IOException", "no answer");
        String refused = Fingerprint.of("IOException", "refused");
        desk.run("dlq redrive --name order.* --rate 100/s --limit 40 --operator ada");
        desk.time.advance(Duration.ofHours(3));
        desk.run("dlq purge --name order.* --yes --operator bob");

        List<String> all = desk.run("dlq actions --json").out().lines().toList();

        assertThat(all).hasSize(2);
        assertThat(all.get(0))
                .contains("\"operator\":\"bob\",\"from\":\"command line, " + System.getProperty("user.name") + "@")
                .contains("\"action\":\"purge\",\"of\":\"name order.*, dead before ")
                .contains("\"letters\":1163,\"causes\":{\"" + slow + "\":1163}");
        assertThat(all.get(1))
                .contains("\"outcome\":\"sent, 40 of 40\",\"letters\":40")
                .contains("\"" + slow + "\":37,\"" + refused + "\":3");
        assertThat(desk.run("dlq actions --json --operator ada").out().lines()).containsExactly(all.get(1));
        assertThat(desk.run("dlq actions --json --action purge").out().lines()).containsExactly(all.get(0));
        assertThat(desk.run("dlq actions --json --since 1h").out().lines()).containsExactly(all.get(0));
        assertThat(desk.run("dlq actions --json --until 1h").out().lines()).containsExactly(all.get(1));
        assertThat(desk.run("dlq actions --operator eve").out())
                .isEqualToIgnoringNewLines("no action matches the filter");
        assertThat(desk.run("dlq actions --action delete").err())
                .contains("--action must be one of " + String.join(", ", Verb.recorded()) + "; got 'delete'");
    }

    @Test
    void an_error_message_cannot_take_over_the_terminal() {
        desk.dead("order.paid", "{}", Reason.NOT_RETRYABLE, "E", "first\n\u001b[2Jsecond\r\u202ethird");

        assertThat(desk.run("dlq list").out())
                .contains("E: first \\u001b[2Jsecond \\u202ethird")
                .doesNotContain("\u001b");
        assertThat(desk.run("dlq show 1").out()).doesNotContain("\u001b").doesNotContain("\u202e");
    }

    @Test
    void list_reports_an_empty_queue() {
        assertThat(desk.run("dlq list").out()).isEqualToIgnoringNewLines("no dead letters");
        assertThat(desk.run("dlq groups").out()).isEqualToIgnoringNewLines("no dead letters");
        assertThat(desk.run("dlq actions").out()).isEqualToIgnoringNewLines("no operator has changed this store yet");
    }

    @Test
    void a_page_names_the_begin_of_the_next_page() {
        for (int i = 0; i < 5; i++) {
            desk.dead("order.paid");
        }

        Ran first = desk.run("dlq list --limit 2");
        Ran last = desk.run("dlq list --limit 2 --before 2");
        Ran oldest = desk.run("dlq list --limit 2 --after 0");

        assertThat(first.out().lines()).hasSize(3);
        assertThat(first.out()).containsSubsequence("\n 5  ", "\n 4  ");
        assertThat(first.err()).contains("2 of 5 shown; the next page: --before 4");
        assertThat(last.out()).contains("\n 1  ");
        assertThat(last.err()).isEmpty();
        assertThat(oldest.out()).containsSubsequence("\n 1  ", "\n 2  ");
        assertThat(oldest.err()).contains("the next page: --after 2");
        assertThat(desk.run("dlq list --before 1").out()).isEqualToIgnoringNewLines("no more dead letters");
        assertThat(desk.run("dlq list --before 3 --after 1").code()).isEqualTo(2);
    }

    @Test
    void json_has_one_line_for_each_of_many_letters() {
        for (int i = 0; i < 1_100; i++) {
            desk.dead("order.paid");
        }

        List<String> lines =
                desk.run("dlq list --json --limit 1050").out().lines().toList();

        assertThat(lines).hasSize(1_050);
        DeadLetter last = DeadLetterJson.read(lines.get(1_049), 1_050);
        assertThat(last.id()).isEqualTo(51);
        assertThat(lines.get(0)).contains("\"original_event\":", "\"abandoned_reason\":\"max_attempts_exceeded\"");
    }

    @ParameterizedTest
    @CsvSource({
        "--name order.*, 1",
        "--reason timeout, 2",
        "--error-type TimeoutException, 2",
        "--text NO ANSWER, 2",
        "--since 90s, 2",
        "--until 90s, 1",
        "--since 1970-01-01, '2,1'",
        "--until 1970-01-01T00:00:00+02:00, ''",
        "--id 2, 2",
        "'--id 1,2', '2,1'",
        "--name *, '2,1'",
        "'--text \"TOTAL\"', 1",
        "--payload /state=new, 2",
    })
    void filters_select_letters(String filter, String expected) {
        desk.dead("order.paid");
        desk.time.advance(Duration.ofMinutes(3));
        desk.dead("ml.run.started", "{\"state\":\"new\"}", Reason.TIMEOUT, "TimeoutException", "no answer");
        String[] option = filter.split(" ", 2);

        Ran ran = desk.run("dlq list --json", option[0], option[1]);

        assertThat(ran.code()).isZero();
        assertThat(ran.out().lines().map(line -> DeadLetterJson.read(line, 1).id()))
                .extracting(String::valueOf)
                .isEqualTo(expected.isEmpty() ? List.of() : List.of(expected.split(",")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--since yesterday",
                "--since 2026-02-31",
                "--reason bored",
                "--name or der",
                "--limit 0",
                "--id first"
            })
    void a_malformed_filter_is_wrong_input(String filter) {
        String[] option = filter.split(" ", 2);

        Ran ran = desk.run("dlq list", option[0], option[1]);

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains(option[1], "Try 'redrive dlq list --help'.");
    }

    @Test
    void groups_are_causes_largest_first() {
        desk.dead("ml.run.started", "{}", Reason.TIMEOUT, "TimeoutException", "no answer");
        desk.dead("order.paid", "{}", Reason.NOT_RETRYABLE, "IOException", "order 17 refused");
        desk.dead("order.sent", "{}", Reason.NOT_RETRYABLE, "IOException", "order 18 refused");

        List<String> lines = desk.run("dlq groups").out().lines().toList();

        assertThat(lines).hasSize(3);
        assertThat(lines.get(1)).contains("      2  ", "order.paid, order.sent", "IOException: order 1");
        assertThat(desk.run("dlq groups --json --name ml.run.*").out())
                .startsWith("{\"fingerprint\":\"")
                .contains("\"count\":1,\"error_type\":\"TimeoutException\",\"example\":\"no answer\"")
                .contains("\"names\":[\"ml.run.started\"],\"first_dead\":\"");
    }

    @Test
    void show_prints_all_parts_of_a_letter() {
        desk.dead(
                event -> event.json("{\"total\":12,\"lines\":[1]}")
                        .header("tenant", "acme")
                        .orderingKey("k"),
                "order.paid",
                Reason.MAX_ATTEMPTS_EXCEEDED,
                "IOException",
                "connection refused");

        Ran ran = desk.run("dlq show 1");

        assertThat(ran.code()).isZero();
        assertThat(ran.out())
                .contains("letter 1  order.paid", "reason max_attempts_exceeded", "2 failed, 0 interrupted, 0 crashed")
                .contains("correlation   order-17", "ordering key  k", "tenant: acme", "shop, priority normal")
                .contains("\"total\" : 12", "application/json, 24 bytes")
                .containsSubsequence(
                        "1  1s ago  120ms  n1    retry in 1s", "2  0s ago  120ms  n1    dead max_attempts");
    }

    @Test
    void show_as_json_has_the_history() {
        desk.dead("order.paid");

        assertThat(DeadLetterJson.read(desk.run("dlq show 1 --json").out(), 1))
                .usingRecursiveComparison()
                .isEqualTo(desk.store.deadLetters().find(1).orElseThrow());
    }

    @Test
    void show_writes_the_payload_to_a_file_byte_for_byte(@TempDir Path folder) throws Exception {
        byte[] bytes = {0, 1, (byte) 0xff};
        desk.dead(event -> event.payload(bytes, "image/x"), "order.paid", Reason.POISON, "E", "e");
        Path file = folder.resolve("payload");

        assertThat(desk.run("dlq show 1", "--payload", file.toString()).code()).isZero();

        assertThat(Files.readAllBytes(file)).isEqualTo(bytes);
        assertThat(desk.run("dlq show 1").out()).contains("  00 01 ff\n");
    }

    @Test
    void an_unknown_letter_is_a_failure() {
        Ran ran = desk.run("dlq show 17");

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err())
                .startsWith("redrive dlq show: no dead letter 17, and none of an event with that id; it may have been");
    }

    @Test
    void stats_count_by_state() {
        desk.dead("order.paid");
        desk.run("publish --name order.paid --source shop");
        desk.run("publish --name order.paid --source shop --delay 1h");
        desk.time.advance(Duration.ofSeconds(4));

        assertThat(desk.run("stats").out())
                .contains("ready             1  the oldest for 4s", "delayed           1", "claimed           0")
                .contains("dead              1  see: redrive dlq groups --store orders.db");
        assertThat(desk.run("stats --json").out())
                .isEqualToIgnoringNewLines(
                        "{\"ready\":1,\"delayed\":1,\"claimed\":0,\"dead\":1,\"oldest_ready_ms\":4000,\"behind_key\":0,"
                                + "\"set_aside\":0,\"paused\":0,\"without_token\":0,\"unhandled\":[],\"nodes\":[],"
                                + "\"pauses\":[]}");
    }

    @Test
    void stats_tell_paused_events_from_events_without_a_token_and_from_scheduled_ones() {
        for (int i = 0; i < 3; i++) {
            desk.run("publish --name order.paid --source shop");
        }
        desk.run("publish --name order.paid --source shop --delay 1h");
        Instant now = desk.time.now();
        List<Claim> claims =
                desk.store.claim(new ClaimRequest("node-1", Lane.DOMAIN, 3, false, Duration.ofMinutes(1), now));
        Instant due = now.plusSeconds(60);
        desk.store.settle(
                List.of(
                        new Settlement.Snooze(claims.get(0), due, Settlement.Snooze.Cause.PAUSED),
                        new Settlement.Snooze(claims.get(1), due, Settlement.Snooze.Cause.PAUSED),
                        new Settlement.Snooze(claims.get(2), due, Settlement.Snooze.Cause.NO_TOKEN)),
                now);

        assertThat(desk.run("stats").out())
                .contains("delayed           4  scheduled, or waiting out a backoff, or:")
                .contains("paused            2  of the ready and delayed events: their name is paused")
                .contains("  no token        1  their retry budget is empty");
        assertThat(desk.run("stats --json").out()).contains("\"paused\":2,\"without_token\":1");
    }

    @Test
    void stats_count_events_by_the_cause_of_their_wait_and_name_events_without_a_handler() {
        Pipeline shop = Pipeline.on(desk.store)
                .time(desk.time)
                .on("order.*", event -> {})
                .build();
        desk.run("publish --name mail.sent --source shop");
        desk.run("publish --name mail.sent --source shop --ordering-key k --delay 1h");
        desk.run("publish --name mail.sent --source shop --ordering-key k");
        shop.drain();
        desk.time.advance(Duration.ofSeconds(4));

        assertThat(desk.run("stats").out())
                .contains("  in line         1  behind an earlier event of their ordering key")
                .contains("  aside           1  no handler on the nodes that have looked")
                .contains("    mail.sent  no handler on any live node, the oldest for 4s");
        assertThat(desk.run("stats --json").out())
                .contains("\"unhandled\":[{\"name\":\"mail.sent\",\"waited_ms\":4000}]");
    }

    @Test
    void scheduled_events_are_listed_and_cancelled() {
        assertThat(desk.run("scheduled list").out()).startsWith("no event is scheduled");
        desk.run("publish --id a --name order.paid --source shop --delay 1h");
        desk.run("publish --id b --name mail.sent --source shop --delay 2h --correlation-id c");
        assertThat(desk.run("scheduled list").out().lines())
                .hasSize(3)
                .element(1)
                .asString()
                .contains("60m", "order.paid");
        assertThat(desk.run("scheduled list --name mail.* --json").out())
                .contains("\"id\":\"b\",\"correlation_id\":\"c\",\"name\":\"mail.sent\"");
        assertThat(desk.run("scheduled list --within 90m").out())
                .contains("order.paid")
                .doesNotContain("mail.sent");

        assertThat(desk.run("scheduled cancel a").out()).startsWith("a  cancelled");
        Ran again = desk.run("scheduled cancel a");
        assertThat(again.code()).isEqualTo(1);
        assertThat(again.err()).contains("event a cannot be cancelled: a handler has begun it, or no event has");
        assertThat(desk.run("scheduled list").out()).doesNotContain("order.paid");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " --correlation-id order-17"})
    void a_narrow_terminal_shows_scheduled_events_with_ids_that_can_be_cancelled(String correlation) {
        String id = "01a1e5e1-196f-7000-828d-f5f6ec699856";
        desk.run("publish --id " + id + " --name order.remind --source shop --delay 3h" + correlation);

        String shown =
                desk.at(new PersonAtTerminal(60, "", "")).run("scheduled list").out();

        assertThat(shown).contains(id, correlation.isEmpty() ? "order.remind" : "order-17");
        assertThat(shown.lines()).allMatch(line -> line.length() <= 60);
    }

    @Test
    void publishing_a_dead_event_again_names_the_letter_and_the_command_to_redrive() {
        desk.dead(
                event -> event.id("e-1").correlationId(null),
                "order.paid",
                Reason.NOT_RETRYABLE,
                "IOException",
                "refused");
        assertThat(desk.run("publish --id e-1 --name order.paid --source shop").out())
                .contains("It is dead letter 1: bring it back with redrive dlq redrive 1 --store orders.db");
        assertThat(desk.run("publish --id e-1 --name order.paid --source shop --json")
                        .out())
                .contains("\"result\":\"duplicate\",\"letter\":1");
    }

    @Test
    void stats_list_the_nodes_and_mark_silent_nodes() {
        Instant started = desk.time.now();
        Pipeline died = Pipeline.on(desk.store)
                .time(desk.time)
                .node("shop-1")
                .service("orders")
                .build();
        died.drain();
        desk.time.advance(Duration.ofMinutes(3));
        Pipeline.on(desk.store)
                .time(desk.time)
                .node("shop-2")
                .service("orders")
                .build()
                .drain();

        assertThat(desk.run("stats").out())
                .contains("nodes             1")
                .contains("  shop-1  orders, not seen for 3m: it died, or has no connection")
                .contains("  shop-2  orders, for 0s");
        assertThat(desk.run("stats --json").out())
                .contains("{\"node\":\"shop-1\",\"service\":\"orders\",\"started\":\"" + started + "\",\"seen\":\""
                        + started + "\",\"alive\":false}");
    }
}
