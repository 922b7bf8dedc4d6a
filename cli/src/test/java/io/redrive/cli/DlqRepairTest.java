package io.redrive.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.OperatorAction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code redrive dlq repair}. Letters of the desk have the payload {@code {"total":12}}. */
final class DlqRepairTest {

    private final LetterDesk desk = new LetterDesk();

    @TempDir
    private Path folder;

    @Test
    void a_repair_shows_a_diff_and_changes_nothing_until_it_is_applied() throws IOException {
        desk.dead("order.paid");
        desk.dead("order.paid");
        Path fix = expression("$ ~> |$|{\"total\": total + 1, \"currency\": \"BTC\"}|");

        Ran preview = desk.run("dlq repair --all --samples 1 --file " + fix);

        assertThat(preview.code()).isZero();
        assertThat(preview.out())
                .containsSubsequence(
                        "letter 1  order.paid",
                        "-   \"total\" : 12",
                        "+   \"total\" : 13,",
                        "+   \"currency\" : \"BTC\"",
                        "2 letters: 2 changed, 0 unchanged, 0 failing; nothing was written, --apply changes them")
                .doesNotContain("letter 2");
        assertThat(desk.letters().get(0).event().text()).isEqualTo("{\"total\":12}");

        Ran applied = desk.run("dlq repair --all --apply --operator ada --file " + fix);

        assertThat(applied.out()).contains("2 letters: 2 changed, 0 unchanged, 0 failing");
        assertThat(applied.err()).contains("next: redrive dlq redrive --canary");
        assertThat(desk.letters().get(1).event().text()).isEqualTo("{\"total\":13,\"currency\":\"BTC\"}");
        assertThat(desk.run("dlq show 1").out()).containsSubsequence("earlier payloads", "1", "12", "repair", "ada");
        assertThat(desk.store.deadLetters().actions(10))
                .extracting(OperatorAction::action)
                .containsExactly("repair");
    }

    @Test
    void a_revert_restores_the_payloads_and_an_edit_takes_a_version_back() throws IOException {
        desk.dead("order.paid");
        desk.run("dlq repair 1 --apply --file " + expression("{\"total\": 1}"));

        assertThat(desk.run("dlq repair 1 --revert").out()).contains("up to 1 letter would be taken back");
        assertThat(desk.run("dlq repair 1 --revert --apply").out()).contains("1 letter: 1 changed");
        assertThat(desk.letters().get(0).event().text()).isEqualTo("{\"total\":12}");
        assertThat(desk.run("dlq repair 1 --revert --apply").out()).contains("1 letter: 0 changed, 1 unchanged");

        assertThat(desk.run("dlq edit 1 --version 2").code()).isZero();
        assertThat(desk.letters().get(0).event().text()).isEqualTo("{\"total\":1}");
        assertThat(desk.run("dlq edit 1 --version 9").err())
                .contains("--version must be an earlier payload of letter 1, got 9");
    }

    @Test
    void failing_letters_are_named_with_their_reason() throws IOException {
        desk.dead("order.paid");

        Ran ran = desk.run("dlq repair --all --apply --file " + expression("nope"));

        assertThat(ran.out())
                .contains("letter 1 fails: the expression has no result for this payload")
                .contains("1 letter: 0 changed, 0 unchanged, 1 failing");
        assertThat(desk.store.deadLetters().actions(10)).isEmpty();
    }

    @Test
    void json_has_counts_samples_and_failures() throws IOException {
        desk.dead("order.paid");

        Ran ran = desk.run("dlq repair --all --json --file " + expression("{\"total\": 1}"));

        assertThat(ran.out().strip())
                .isEqualTo("{\"changed\":1,\"unchanged\":0,\"failing\":0,\"changed_meanwhile\":0,\"applied\":false,"
                        + "\"samples\":[{\"letter\":1,\"before\":\"{\\\"total\\\":12}\",\"after\":\"{\\\"total\\\":1}\"}],"
                        + "\"failures\":[]}");
    }

    @Test
    void wrong_input_is_refused_by_rule_and_value() throws IOException {
        desk.dead("order.paid");
        Path broken = expression("{\"total\": ");

        assertThat(desk.run("dlq repair --all --file " + broken).err())
                .contains("expression is not valid JSONata", "position 9 of the expression");
        assertThat(desk.run("dlq repair --all").err())
                .contains("exactly one of --expression, --file and --revert, got 0");
        assertThat(desk.run("dlq repair --expression $ --revert --all").code()).isEqualTo(2);
        assertThat(desk.run("dlq repair --expression $").err()).contains("name the letters to repair");
        assertThat(desk.run("dlq repair --expression $ --all --samples 101").err())
                .contains("samples must be 0 to 100, got 101");
        assertThat(desk.run("dlq repair --expression $ 99").code()).isEqualTo(1);
        assertThat(desk.run("dlq repair --expression $ --all --apply --dry-run").code())
                .isEqualTo(2);
    }

    private Path expression(String text) throws IOException {
        return Files.writeString(folder.resolve("fix.jsonata"), text);
    }
}
