package io.redrive.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import io.redrive.core.Reason;
import io.redrive.events.Event;
import io.redrive.events.HandledEvent;
import io.redrive.events.cause.ServiceVersion;
import io.redrive.jdbc.SqliteOptions;
import io.redrive.jdbc.SqliteStore;
import io.redrive.pipeline.Outcome;
import io.redrive.pipeline.Pipeline;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands {@code causes differs} and {@code dlq diff}. */
final class DifferenceCommandsTest {

    private static final String EVIL = "\u001b[2Jx\u202e\u009b2J";

    private final LetterDesk desk = new LetterDesk();

    @TempDir
    private Path folder;

    private String letters(int count, String payload) {
        for (int i = 0; i < count; i++) {
            desk.dead("order.paid", payload, Reason.NOT_RETRYABLE, "IOException", "refused");
        }
        return desk.letters().get(0).fingerprint();
    }

    private void handled(int count, String payload) {
        desk.store
                .samples()
                .add(IntStream.range(0, count)
                        .mapToObj(i -> HandledEvent.of(
                                Event.named("order.paid")
                                        .id("h-" + i)
                                        .source("shop")
                                        .time(desk.time)
                                        .json(payload.replace("N", "" + i * 7919 % 1000))
                                        .build(),
                                desk.time.now().minusSeconds(i % 40),
                                "n1",
                                Optional.of(new ServiceVersion("2.4"))))
                        .toList());
    }

    @Test
    void differs_tells_the_strongest_difference_in_a_sentence() {
        String cause = letters(40, "{\"currency\":\"XBT\",\"total\":12}");
        handled(1_000, "{\"currency\":\"EUR\",\"total\":N}");
        Ran ran = desk.run("causes differs " + cause);
        assertThat(ran.code()).isZero();
        assertThat(ran.out())
                .contains("cause " + cause + "  40 letters, IOException: refused")
                .contains("order.paid: 40 letters (died ")
                .contains("compared with 1,000 handled events (handled ")
                .contains("  all 40 letters have /currency = \"XBT\"; of 1,000 handled events none");
    }

    @Test
    void differs_as_json_has_the_counts_and_the_sentence() {
        String cause = letters(40, "{\"currency\":\"XBT\"}");
        handled(200, "{\"currency\":\"EUR\"}");
        Ran ran = desk.run("causes differs " + cause + " --json");
        assertThat(ran.out().lines()).hasSize(1);
        assertThat(ran.out())
                .contains("\"fingerprint\":\"" + cause + "\"", "\"letters\":40", "\"compared\":40", "\"handled\":200")
                .contains("{\"subject\":\"field\",\"of\":\"/currency\",\"trait\":\"equals\",\"value\":\"\\\"XBT\\\"\","
                        + "\"letters\":{\"having\":40,\"of\":40,\"unknown\":0},"
                        + "\"handled\":{\"having\":0,\"of\":200,\"unknown\":0}");
    }

    @Test
    void differs_is_silent_where_nothing_separates() {
        String cause = letters(40, "{\"currency\":\"EUR\"}");
        handled(200, "{\"currency\":\"EUR\"}");
        assertThat(desk.run("causes differs " + cause).out())
                .contains("nothing separates the letters from the handled events");
    }

    @Test
    void differs_says_that_one_letter_is_too_few_and_what_to_do() {
        String cause = letters(1, "{\"currency\":\"XBT\"}");
        handled(1_000, "{\"currency\":\"EUR\"}");
        assertThat(desk.run("causes differs " + cause).out())
                .contains("nothing to tell: so few letters")
                .contains("redrive dlq diff ID --handled --store orders.db");
    }

    @Test
    void differs_refuses_an_unknown_fingerprint_and_names_those_that_begin_like_it() {
        String cause = letters(1, "{}");
        Ran unknown = desk.run("causes differs nope");
        assertThat(unknown.code()).isEqualTo(1);
        assertThat(unknown.err())
                .contains("no cause has the fingerprint 'nope'; see: redrive causes list --store orders.db");
        Ran prefix = desk.run("causes differs " + cause.substring(0, 4));
        assertThat(prefix.code()).isEqualTo(1);
        assertThat(prefix.err()).contains("give it whole: " + cause);
        assertThat(desk.run("causes differs").code()).isEqualTo(2);
    }

    @Test
    void differs_says_when_nothing_was_handled_and_when_the_journal_is_off() {
        String cause = letters(3, "{}");
        assertThat(desk.run("causes differs " + cause).out())
                .contains("no event of this name was handled within the last 48 hours");
        Path file = folder.resolve("orders.db");
        String inFile = pipeline(file, SqliteOptions.DEFAULT);
        assertThat(Ran.redrive(desk.time, "causes", "differs", inFile, "--store", file.toString())
                        .out())
                .contains(
                        "60 events of this name were handled within the last 48 hours, but no sample of them was kept")
                .contains("the journal is off")
                .contains("withJournal(Duration.ofHours(24)) of SqliteOptions or PostgresOptions");
    }

    @Test
    void differs_finds_what_a_pipeline_on_a_file_handled_and_gave_up() {
        Path file = folder.resolve("orders.db");
        String cause = pipeline(file, SqliteOptions.DEFAULT.withJournal(Duration.ofHours(24)));
        Ran ran = Ran.redrive(desk.time, "causes", "differs", cause, "--store", file.toString());
        assertThat(ran.out())
                .contains("all 20 letters have /currency = \"XBT\"; of 10 handled events none")
                .doesNotContain("/number");
        assertThat(Ran.redrive(desk.time, "dlq", "diff", "1", "--handled", "--store", file.toString())
                        .out())
                .contains("nothing to tell: so few handled events");
    }

    /** Handles 60 events and gives up 20; returns the cause. */
    private String pipeline(Path file, SqliteOptions options) {
        ManualTime time = desk.time;
        try (SqliteStore store = SqliteStore.open(file, options)) {
            Pipeline pipeline = Pipeline.on(store)
                    .executor(Runnable::run)
                    .time(time)
                    .node("node-1")
                    .handle(
                            "order.paid",
                            event -> event.text().contains("XBT") ? Outcome.dead("no rate") : Outcome.done())
                    .build();
            for (int i = 0; i < 80; i++) {
                String currency = i % 4 == 0 ? "XBT" : i % 4 == 1 ? "EUR" : "USD";
                pipeline.publish(Event.named("order.paid")
                        .source("shop")
                        .time(time)
                        .json("{\"currency\":\"" + currency + "\",\"number\":" + i * 31 % 80 + "}")
                        .build());
            }
            pipeline.drain();
            pipeline.close();
            return store.deadLetters().causes().latest(1).get(0).fingerprint();
        }
    }

    @Test
    void differs_says_what_became_of_the_letters_of_a_merged_or_empty_cause() {
        String cause = letters(2, "{}");
        desk.dead("order.paid", "{}", Reason.NOT_RETRYABLE, "OtherException", "other");
        String other = desk.letters().get(2).fingerprint();
        desk.run("causes merge " + cause + " " + other);
        assertThat(desk.run("causes differs " + cause).out())
                .contains("merged into another cause; see: redrive causes differs " + other);
        desk.run("dlq purge --all --yes");
        assertThat(desk.run("causes differs " + other).out()).contains("it has no letters any more");
    }

    @Test
    void differs_prints_no_control_characters_of_names_and_values() {
        desk.store.samples().add(List.of());
        for (int i = 0; i < 40; i++) {
            desk.dead(
                    event -> event.json(
                                    "{\"" + EVIL.replace("\u001b", "\\u001b").replace("\u009b", "\\u009b") + "\":\""
                                            + EVIL.replace("\u001b", "\\u001b") + "\"}")
                            .header("tenant", EVIL),
                    "order.paid",
                    Reason.NOT_RETRYABLE,
                    "IOException",
                    "refused");
        }
        handled(200, "{\"currency\":\"EUR\"}");
        String cause = desk.letters().get(0).fingerprint();
        for (String command : List.of(
                "causes differs " + cause,
                "causes differs " + cause + " --json",
                "dlq diff 1 2",
                "dlq diff 1 2 --json",
                "dlq diff 1 --handled",
                "dlq diff 1 --handled --json",
                "causes differs " + EVIL)) {
            Ran ran = desk.run(command);
            assertThat(ran.out() + ran.err()).as(command).isNotEmpty().doesNotContain("\u001b", "\u202e", "\u009b");
        }
        assertThat(desk.run("causes differs " + cause).out()).contains("\\u001b[2Jx\\u202e");
    }

    @Test
    void diff_of_a_letter_alone_compares_with_handled_events_or_with_the_payload_as_published() {
        letters(1, "{\"currency\":\"XBT\"}");
        handled(1_000, "{\"currency\":\"EUR\"}");
        Ran ran = desk.run("dlq diff 1");
        assertThat(ran.code()).isZero();
        assertThat(ran.out())
                .contains("letter 1  order.paid: 1 letter (died ")
                .contains("the letter has /currency = \"XBT\"; of 1,000 handled events none");
        assertThat(ran.err()).contains("one letter proves nothing", "redrive causes differs ");
        desk.store.deadLetters().edit(1, "{\"currency\":\"EUR\"}".getBytes(), "ann", desk.time.now());
        assertThat(desk.run("dlq diff 1").out())
                .contains("letter 1 as published and now: 1 difference")
                .contains("/currency: \"XBT\" as published, \"EUR\" now");
        assertThat(desk.run("dlq diff 1 --handled").out())
                .as("the payload that died counts")
                .contains("the letter has /currency = \"XBT\"");
    }

    @Test
    void diff_compares_two_letters() {
        letters(1, "{\"currency\":\"XBT\",\"a\":1}");
        letters(1, "{\"currency\":\"EUR\",\"a\":1,\"b\":[true]}");
        Ran ran = desk.run("dlq diff 1 2");
        assertThat(ran.out())
                .contains("letters 1 and 2: 2 differences")
                .contains("/currency: \"XBT\" in letter 1, \"EUR\" in letter 2")
                .contains("/b/0: missing in letter 1, true in letter 2");
        assertThat(ran.err()).contains("both died of cause ");
        assertThat(desk.run("dlq diff 1 2 --json").out())
                .contains(
                        "{\"part\":\"/currency\",\"left\":\"\\\"XBT\\\"\",\"right\":\"\\\"EUR\\\"\"}",
                        "\"more\":false");
        letters(1, "{\"currency\":\"EUR\",\"a\":1,\"b\":[true]}");
        assertThat(desk.run("dlq diff 2 3").out()).contains("letters 2 and 3 do not differ");
    }

    @Test
    void diff_compares_with_an_earlier_version() {
        letters(1, "{\"a\":1}");
        desk.store.deadLetters().edit(1, "{\"a\":2}".getBytes(), "ann", desk.time.now());
        desk.store.deadLetters().edit(1, "{\"a\":3}".getBytes(), "ann", desk.time.now());
        assertThat(desk.run("dlq diff 1 --version 2").out()).contains("/a: 2 in version 2, 3 now");
        assertThat(desk.run("dlq diff 1 --original").out()).contains("/a: 1 as published, 3 now");
        Ran missing = desk.run("dlq diff 1 --version 9");
        assertThat(missing.code()).isEqualTo(2);
        assertThat(missing.err()).contains("letter 1 has no version 9; see: redrive dlq show 1");
    }

    @Test
    void diff_refuses_wrong_input() {
        letters(1, "{}");
        assertThat(desk.run("dlq diff 99").code()).isEqualTo(1);
        assertThat(desk.run("dlq diff 1 99").code()).isEqualTo(1);
        Ran itself = desk.run("dlq diff 1 1");
        assertThat(itself.code()).isEqualTo(2);
        assertThat(itself.err()).contains("cannot be compared with itself");
        Ran both = desk.run("dlq diff 1 2 --handled");
        assertThat(both.code()).isEqualTo(2);
        assertThat(both.err()).contains("compare with one thing");
        Ran never = desk.run("dlq diff 1 --original");
        assertThat(never.code()).isEqualTo(2);
        assertThat(never.err()).contains("was never edited");
    }
}
