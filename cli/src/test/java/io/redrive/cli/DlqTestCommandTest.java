package io.redrive.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command that turns a dead letter into a JUnit test; that the test compiles and fails is tested in operations. */
final class DlqTestCommandTest {

    private final LetterDesk desk = new LetterDesk();

    @TempDir
    private Path folder;

    @Test
    void the_test_is_written_with_the_event_and_its_failure_and_redacted_values_are_not() throws IOException {
        desk.dead("order.paid", "{\"card\":\"pan-4111\",\"total\":12}", Reason.TIMEOUT, "IOException", "reset by peer");

        Ran ran = desk.run("dlq test 1 --package com.example --redact /card --out " + folder);

        Path file = folder.resolve("OrderPaidLetter1Test.java");
        assertThat(ran.out()).isEqualToIgnoringNewLines(file.toString());
        assertThat(Files.readString(file))
                .startsWith("package com.example;")
                .contains("reset by peer", "[redacted]")
                .doesNotContain("pan-4111");
    }

    @Test
    void a_script_reads_the_name_of_the_test() {
        desk.dead("order.paid");

        Ran ran = desk.run("dlq test 1 --json --out " + folder);

        assertThat(ran.text("test")).endsWith("OrderPaidLetter1Test.java");
        assertThat(ran.text("letter")).isEqualTo("1");
    }

    @Test
    void an_existing_file_is_kept_without_force() throws IOException {
        desk.dead("order.paid");
        Path file = Files.writeString(folder.resolve("OrderPaidLetter1Test.java"), "mine");

        Ran ran = desk.run("dlq test 1 --out " + folder);

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("which exists; --force replaces it");
        assertThat(file).hasContent("mine");
        assertThat(desk.run("dlq test 1 --force --out " + folder).code()).isZero();
    }

    @Test
    void wrong_rules_packages_folders_and_letters_are_refused() {
        desk.dead("order.paid");
        assertThat(desk.run("dlq test 1 --redact card --out " + folder).err())
                .contains("--redact must be a JSON pointer such as /card/number, header:NAME or pattern:EXPRESSION, got"
                        + " 'card'");
        assertThat(desk.run("dlq test 1 --package 1x --out " + folder).err())
                .contains("package must be a Java name such as com.example.orders, got '1x'");
        assertThat(desk.run("dlq test 1 --out " + folder.resolve("no")).err())
                .contains("--out must be a folder that exists");
        assertThat(desk.run("dlq test 99 --out " + folder).code()).isEqualTo(1);
        assertThat(folder).isEmptyDirectory();
    }
}
