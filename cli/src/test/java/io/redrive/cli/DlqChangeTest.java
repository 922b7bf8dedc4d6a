package io.redrive.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.cli.terminal.PersonAtTerminal;
import io.redrive.cli.terminal.Terminal;
import io.redrive.core.Reason;
import io.redrive.events.DeadLetter;
import io.redrive.events.EventStore;
import io.redrive.events.Fingerprint;
import io.redrive.events.LetterFilter;
import io.redrive.events.OperatorAction;
import io.redrive.events.StoreStats;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands on the content of the queue: edit, purge, export, import. */
final class DlqChangeTest {

    private final LetterDesk desk = new LetterDesk();

    @TempDir
    private Path folder;

    // ---- edit ----

    @Test
    void edit_replaces_the_payload_and_show_prints_both_payloads() {
        desk.dead("order.paid");

        Ran ran = desk.input("{\"total\":13}").run("dlq edit 1 --payload - --operator ada");

        assertThat(ran.out()).isEqualToIgnoringNewLines("letter 1: payload replaced, 12 bytes before, 12 now");
        assertThat(desk.run("dlq show 1").out())
                .containsSubsequence("payload as published", "\"total\" : 12", "payload as edited", "\"total\" : 13");
        assertThat(actions()).extracting(OperatorAction::operator).containsExactly("ada");
    }

    @Test
    void edit_refuses_broken_json_and_names_the_position() {
        desk.dead("order.paid");

        Ran ran = desk.input("{\"total\":\n oops}").run("dlq edit 1 --payload -");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("not valid application/json: line 2, column", "nothing was changed");
        assertThat(desk.letters().get(0).originalPayload()).isEmpty();
        assertThat(desk.run("dlq edit 1 --payload - --force").code()).isZero();
        assertThat(desk.letters().get(0).event().text()).isEqualTo("{\"total\":\n oops}");
    }

    @Test
    void edit_opens_an_editor_for_a_person() {
        desk.dead("order.paid");
        PersonAtTerminal person = new PersonAtTerminal(80, "", "{\"total\":14}");

        assertThat(desk.at(person).run("dlq edit 1").code()).isZero();

        assertThat(person.asked).containsExactly("{\"total\":12}");
        assertThat(desk.letters().get(0).event().text()).isEqualTo("{\"total\":14}");
    }

    @Test
    void an_unchanged_text_in_the_editor_leaves_the_letter_unchanged() {
        desk.dead("order.paid");

        Ran ran = desk.at(new PersonAtTerminal(80, "", "{\"total\":12}")).run("dlq edit 1");

        assertThat(ran.out()).isEqualToIgnoringNewLines("letter 1 is unchanged");
        assertThat(actions()).isEmpty();
    }

    @Test
    void edit_without_a_payload_or_a_person_is_wrong_input() {
        desk.dead("order.paid");

        assertThat(desk.run("dlq edit 1").code()).isEqualTo(2);
        assertThat(desk.run("dlq edit 1 --payload nowhere.json").err())
                .contains("the file must exist, got 'nowhere.json'");
        assertThat(desk.run("dlq edit 2 --payload -").code()).isEqualTo(1);
    }

    // ---- purge ----

    @Test
    void purge_needs_a_filter_and_a_yes() {
        desk.dead("order.paid");

        assertThat(desk.run("dlq purge --yes"))
                .satisfies(ran -> assertThat(ran.code()).isEqualTo(2))
                .satisfies(ran -> assertThat(ran.err()).contains("name the letters to purge"));
        assertThat(desk.run("dlq purge --name order.*"))
                .satisfies(ran -> assertThat(ran.code()).isEqualTo(2))
                .satisfies(ran -> assertThat(ran.err()).contains("would delete 1 letter for good; say --yes"));
        assertThat(desk.run("dlq purge --all --name order.* --yes").code()).isEqualTo(2);
        assertThat(desk.letters()).hasSize(1);
    }

    @Test
    void purge_deletes_only_the_named_letters() {
        desk.dead("order.paid");
        desk.dead("order.paid");
        desk.dead("ml.run.started");

        assertThat(desk.run("dlq purge --name order.* --dry-run").out())
                .isEqualToIgnoringNewLines("2 letters would be deleted");
        assertThat(desk.run("dlq purge 1 --yes").out()).isEqualToIgnoringNewLines("1 letter deleted");
        assertThat(desk.run("dlq purge 1 --yes").err()).isEqualToIgnoringNewLines("no dead letter has the id 1");
        assertThat(desk.run("dlq purge --name no.such --yes").out()).isEqualToIgnoringNewLines("no letters to delete");
        assertThat(desk.run("dlq purge --all --limit 1 --yes").out()).isEqualToIgnoringNewLines("1 letter deleted");
        assertThat(desk.letters()).extracting(DeadLetter::id).containsExactly(3L);
    }

    @Test
    void purge_deletes_more_letters_than_a_store_deletes_at_once() {
        for (int i = 0; i < 2_100; i++) {
            desk.dead("order.paid");
        }

        assertThat(desk.run("dlq purge --all --yes").out()).isEqualToIgnoringNewLines("2100 letters deleted");
        assertThat(desk.letters()).isEmpty();
        assertThat(actions()).singleElement().satisfies(row -> {
            assertThat(row.letters()).isEqualTo(2_100);
            assertThat(row.causes())
                    .containsOnly(Map.entry(Fingerprint.of("IOException", "connection refused"), 2_100L));
        });
    }

    @Test
    void purge_leaves_letters_that_die_after_the_question() {
        desk.dead("order.paid");
        Terminal slowPerson = new PersonAtTerminal(80, "y", "") {
            @Override
            public String ask(String question) {
                desk.time.advance(Duration.ofSeconds(1));
                desk.dead("order.sent");
                return super.ask(question);
            }
        };

        assertThat(desk.at(slowPerson).run("dlq purge --all").out()).contains("1 letter deleted");
        assertThat(desk.letters()).extracting(letter -> letter.event().name()).containsExactly("order.sent");
    }

    @Test
    void purge_deletes_no_later_letter_in_place_of_a_redriven_letter() {
        long seen = desk.dead("order.paid");
        Terminal slowPerson = new PersonAtTerminal(80, "y", "") {
            @Override
            public String ask(String question) {
                desk.store.deadLetters().purge(LetterFilter.ofIds(List.of(seen)), 1, "ann", desk.time.now());
                desk.time.advance(Duration.ofSeconds(1));
                desk.dead("order.sent");
                return super.ask(question);
            }
        };

        assertThat(desk.at(slowPerson).run("dlq purge --all").out()).contains("0 letters deleted");
        assertThat(desk.letters()).extracting(letter -> letter.event().name()).containsExactly("order.sent");
    }

    @Test
    void a_letter_is_found_by_id_although_the_clock_of_the_node_is_ahead() {
        long id = desk.dead("order.paid");
        desk.time.jump(Duration.ofHours(-1));

        assertThat(desk.run("dlq purge " + id + " --yes").out()).isEqualToIgnoringNewLines("1 letter deleted");
    }

    @Test
    void a_dry_run_names_ids_that_are_no_letters() {
        desk.dead("order.paid");

        Ran ran = desk.run("dlq purge 1 7 --id 9 --dry-run");

        assertThat(ran.out()).isEqualToIgnoringNewLines("1 letter would be deleted");
        assertThat(ran.err()).contains("no dead letters have the ids 7, 9");
        assertThat(desk.run("dlq redrive 1 7 --dry-run").err()).contains("no dead letter has the id 7");
        assertThat(desk.run("dlq redrive --name order.* --dry-run").err()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"redrive 7,9", "redrive 7 9 --dry-run", "purge 7 9", "purge 7,9 --yes"})
    void a_change_to_ids_of_which_none_is_a_letter_fails(String change) {
        desk.dead("order.paid");

        Ran ran = desk.run("dlq " + change);

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).isEqualToIgnoringNewLines("no dead letters have the ids 7, 9");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "n", "yesterday"})
    void purge_asks_a_person_and_accepts_only_yes(String answer) {
        desk.dead("order.paid");
        PersonAtTerminal person = new PersonAtTerminal(80, answer, "");

        assertThat(desk.at(person).run("dlq purge --all").out()).contains("nothing was deleted");

        assertThat(person.asked).containsExactly("Delete 1 letter for good? [y/N] ");
        assertThat(desk.letters()).hasSize(1);
        assertThat(desk.at(new PersonAtTerminal(80, "Y", ""))
                        .run("dlq purge --all")
                        .out())
                .contains("1 letter deleted");
    }

    // ---- export and import ----

    @Test
    void exported_letters_can_be_imported_into_another_store() throws Exception {
        desk.dead("order.paid");
        desk.dead("ml.run.started", "{}", Reason.TIMEOUT, "TimeoutException", "no answer");
        Path file = folder.resolve("letters.jsonl");
        LetterDesk other = new LetterDesk();

        Ran exported = desk.run("dlq export", "--out", file.toString());
        Ran imported = other.run("dlq import", file.toString());
        Ran again = other.run("dlq import", file.toString());

        assertThat(exported.err()).contains("2 letters exported to ");
        assertThat(imported.out()).isEqualToIgnoringNewLines("2 letters imported");
        assertThat(again.out()).isEqualToIgnoringNewLines("0 letters imported, 2 skipped: already here");
        assertThat(other.store.deadLetters().find(2))
                .usingRecursiveComparison()
                .isEqualTo(desk.store.deadLetters().find(2));
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void export_needs_a_folder_that_exists_and_a_file_in_it() throws Exception {
        desk.dead("order.paid");
        for (Path target : List.of(folder.resolve("no/letters.jsonl"), folder)) {
            Ran ran = desk.run("dlq export --force", "--out", target.toString());
            assertThat(ran.code()).isEqualTo(2);
            assertThat(ran.err()).contains("--out must be a file in a folder that exists, got '" + target + "'");
        }
        try (var files = Files.list(folder)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void export_to_standard_output_can_be_piped_into_import() {
        desk.dead("order.paid");
        desk.dead("ml.run.started");

        Ran exported = desk.run("dlq export --out - --name ml.*");

        LetterDesk other = new LetterDesk().input(exported.out());
        assertThat(other.run("dlq import -").out()).isEqualToIgnoringNewLines("1 letter imported");
        assertThat(other.letters()).extracting(letter -> letter.event().name()).containsExactly("ml.run.started");
    }

    @Test
    void export_does_not_replace_a_file_unasked() throws Exception {
        Path file = Files.writeString(folder.resolve("letters.jsonl"), "precious");
        desk.dead("order.paid");

        assertThat(desk.run("dlq export", "--out", file.toString()).code()).isEqualTo(2);
        assertThat(file).hasContent("precious");
        assertThat(desk.run("dlq export --force", "--out", file.toString()).code())
                .isZero();
        assertThat(file).content().startsWith("{\"id\":1,");
    }

    @Test
    void export_and_import_keep_the_history_of_more_than_a_page_of_letters() throws Exception {
        for (int i = 0; i < 1_234; i++) {
            desk.dead("order.paid");
        }
        Path file = folder.resolve("letters.jsonl");
        LetterDesk other = new LetterDesk();

        assertThat(desk.run("dlq export", "--out", file.toString()).err()).contains("1234 letters exported to ");
        assertThat(other.run("dlq import", file.toString(), "--operator", "ada").out())
                .isEqualToIgnoringNewLines("1234 letters imported");

        assertThat(other.letters()).hasSize(1_000);
        assertThat(other.store.deadLetters().find(1_234))
                .usingRecursiveComparison()
                .isEqualTo(desk.store.deadLetters().find(1_234));
        assertThat(other.store.deadLetters().actions(10)).singleElement().satisfies(row -> {
            assertThat(row.letters()).isEqualTo(1_234);
            assertThat(row.detail()).isEqualTo("from " + file);
        });
    }

    @Test
    void a_bad_line_behind_the_first_page_is_found_before_any_letter_is_imported() throws Exception {
        for (int i = 0; i < 600; i++) {
            desk.dead("order.paid");
        }
        Path file = folder.resolve("letters.jsonl");
        desk.run("dlq export", "--out", file.toString());
        Files.writeString(file, "{\"original_event\": 3}\n", StandardOpenOption.APPEND);
        LetterDesk other = new LetterDesk();

        Ran ran = other.run("dlq import", file.toString());

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("line 601: field original_event", "nothing was imported");
        assertThat(other.letters()).isEmpty();
    }

    @Test
    void an_import_refused_half_way_by_the_store_reports_the_imported_letters() throws Exception {
        for (int i = 0; i < 600; i++) {
            desk.dead("order.paid");
        }
        List<String> lines =
                new ArrayList<>(desk.run("dlq export --out -").out().lines().toList());
        String tooLarge = "\"" + "x".repeat(EventStore.DEFAULT_MAX_PAYLOAD) + "\"";
        lines.set(549, lines.get(549).replace("{\"total\":12}", tooLarge));
        Path file = Files.write(folder.resolve("letters.jsonl"), lines);
        String store = folder.resolve("orders.db").toString();
        Ran.redrive("publish", "--create", "--name", "a.b", "--source", "s", "--store", store);

        Ran ran = Ran.redrive("dlq", "import", file.toString(), "--store", store);

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err()).contains("500 letters imported before it failed: payload", "again skips what is here");
        assertThat(ran.err()).doesNotContain("nothing was imported");
        assertThat(Ran.redrive("dlq", "list", "--json", "--limit", "1000", "--store", store)
                        .out()
                        .lines())
                .hasSize(500);
    }

    @Test
    void a_bad_line_is_named_and_no_letter_is_imported() {
        desk.dead("order.paid");
        String good = desk.run("dlq export --out -").out();
        LetterDesk other = new LetterDesk().input(good + "\n{\"original_event\": 3}\n");

        Ran ran = other.run("dlq import -");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("standard input, line 3: field original_event", "nothing was imported");
        assertThat(other.letters()).isEmpty();
    }

    @Test
    void import_of_a_missing_file_or_of_no_text_is_wrong_input() throws Exception {
        Path binary = Files.write(folder.resolve("b"), new byte[] {'{', (byte) 0xff, (byte) 0xfe});

        assertThat(desk.run("dlq import nowhere.jsonl"))
                .satisfies(ran -> assertThat(ran.code()).isEqualTo(2))
                .satisfies(ran -> assertThat(ran.err()).contains("the file must exist, got 'nowhere.jsonl'"));
        assertThat(desk.run("dlq import", binary.toString()).err()).contains(", line 1 must be UTF-8 text");
    }

    // ---- publish ----

    @Test
    void publish_takes_every_part_of_an_event() {
        Ran ran = desk.input("[1, 2]")
                .run("publish --name order.paid --source shop --id e-1 --correlation-id c --priority high --json"
                        + " --ordering-key k --delay 10s --deadline 1h --header tenant=acme --payload -");

        assertThat(ran.out()).isEqualToIgnoringNewLines("{\"id\":\"e-1\",\"result\":\"accepted\"}");
        assertThat(stats().delayed()).isEqualTo(1);
    }

    @Test
    void publish_refuses_a_payload_that_is_no_json_and_names_the_position() {
        Ran ran = desk.input("{\"total\":\n oops}")
                .run("publish --name order.paid --source shop --content-type application/json --payload -");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("not valid application/json: line 2, column", "nothing was published");
        assertThat(stats().ready()).isZero();
        assertThat(desk.run("publish --name order.paid --source shop --payload -")
                        .code())
                .isZero();
    }

    @Test
    void publish_warns_when_a_payload_that_begins_like_json_is_sent_as_text() {
        Ran ran = desk.input("{\"order\": 17,}").run("publish --name order.paid --source shop --payload -");

        assertThat(ran.code()).isZero();
        assertThat(ran.err())
                .contains("published as text/plain: line 1, column", "--content-type application/json refuses it");
    }

    @Test
    void publish_reports_a_duplicate_and_does_not_fail() {
        desk.run("publish --name order.paid --source shop --id e-1");

        Ran ran = desk.run("publish --name order.paid --source shop --id e-1");

        assertThat(ran.code()).isZero();
        assertThat(ran.out()).startsWith("e-1  duplicate: ");
        assertThat(stats().ready()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--name or!der --source shop",
                "--name order.paid --source shop --priority urgent",
                "--name order.paid --source shop --delay soon",
                "--name order.paid --source shop --deadline 2026-99-01T00:00:00Z",
                "--name order.paid --source shop --text a --payload -",
                "--name order.paid"
            })
    void publish_refuses_arguments_that_make_no_event(String args) {
        Ran ran = desk.run("publish " + args);

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("Try 'redrive publish --help'.");
        assertThat(stats().ready()).isZero();
    }

    private List<OperatorAction> actions() {
        return desk.store.deadLetters().actions(10);
    }

    private StoreStats stats() {
        return desk.store.stats(desk.time.now());
    }
}
