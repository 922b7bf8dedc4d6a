package io.redrive.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Reason;
import io.redrive.events.DeadLetter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedactionCommandsTest {

    private final LetterDesk desk = new LetterDesk();

    @TempDir
    private Path folder;

    @Test
    void rules_of_a_file_hide_values_in_every_command_that_shows_letters() throws IOException {
        desk.dead(
                "order.paid",
                "{\"card\":\"pan-4111\",\"n\":1}",
                Reason.TIMEOUT,
                "IOException",
                "card pan-4111 refused");
        Path rules = Files.writeString(folder.resolve("rules.txt"), "# cards\n/card\n");
        for (String command :
                new String[] {"dlq show 1", "dlq list", "dlq groups", "dlq export --out -", "causes list"}) {
            Ran ran = desk.run(command, "--redaction", rules.toString());
            assertThat(ran.code()).as(command + ran.err()).isZero();
            assertThat(ran.out()).as(command).doesNotContain("pan-4111");
        }
        assertThat(desk.run("dlq show 1").out()).contains("pan-4111");
        Ran byVariable = desk.environment(Map.of("REDRIVE_STORE", "orders.db", "REDRIVE_REDACTION", rules.toString()))
                .run("dlq show 1");
        assertThat(byVariable.out()).contains("[redacted]").doesNotContain("pan-4111");
    }

    @Test
    void wrong_rules_and_a_missing_file_show_nothing() throws IOException {
        desk.dead("order.paid");
        Path rules = Files.writeString(folder.resolve("rules.txt"), "/card\ncard\n");
        Ran wrong = desk.run("dlq list", "--redaction", rules.toString());
        assertThat(wrong.code()).isEqualTo(2);
        assertThat(wrong.err()).contains("rules.txt, line 2: must be a JSON pointer", "got 'card'");
        Ran missing = desk.run("dlq list", "--redaction", folder.resolve("no").toString());
        assertThat(missing.code()).isEqualTo(2);
        assertThat(missing.err()).contains("must be a text file that exists");
        assertThat(missing.out()).isEmpty();
    }

    @Test
    void a_redacted_letter_is_redriven_only_when_asked_for() {
        desk.dead(
                event -> event.json("{\"card\":\"[redacted]\"}").header(DeadLetter.REDACTED_HEADER, "payload"),
                "order.paid",
                Reason.TIMEOUT,
                "IOException",
                "refused");
        Ran refused = desk.run("dlq redrive --all --yes");
        assertThat(refused.err()).contains("1 letter has redacted parts and is left out", "--redacted");
        assertThat(desk.letters()).hasSize(1);
        assertThat(desk.run("dlq redrive --all --dry-run").out()).contains("0 letters would be redriven");
        assertThat(desk.run("dlq redrive --all --yes --redacted --no-wait").code())
                .isZero();
    }
}
