package io.redrive.cli.dlq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LetterFileTest {

    @TempDir
    private Path folder;

    private static String line(int number) {
        return "{\"original_event\": {\"id\": \"e" + number + "\", \"name\": \"order.paid\", \"source\": \"test\"},"
                + " \"abandoned_reason\": \"timeout\", \"timestamp\": \"2026-01-01T00:00:00Z\"}";
    }

    private Path fileOf(String... lines) throws IOException {
        return Files.write(folder.resolve("letters.jsonl"), List.of(lines));
    }

    private static List<String> idsOf(LetterFile file) throws IOException {
        List<String> ids = new ArrayList<>();
        file.each(letter -> ids.add(letter.event().id()));
        return ids;
    }

    /** Keeps no letter, one, two of three, or all. */
    @ParameterizedTest
    @ValueSource(longs = {0, 150, 300, Long.MAX_VALUE})
    void each_letter_is_passed_on_once_however_many_the_check_kept(long mostKept) throws IOException {
        LetterFile file = new LetterFile(fileOf("", line(1), line(2), " ", line(3)), "it", mostKept);
        List<Long> counted = new ArrayList<>();
        file.check(counted::add);

        assertThat(line(1)).hasSizeBetween(100, 150);
        assertThat(counted).containsExactly(1L, 2L, 3L);
        assertThat(file.total()).isEqualTo(3);
        assertThat(idsOf(file)).containsExactly("e1", "e2", "e3");
    }

    @Test
    void the_check_names_the_wrong_line() throws IOException {
        LetterFile file = new LetterFile(fileOf(line(1), "{}"), "it", Long.MAX_VALUE);
        assertThatThrownBy(() -> file.check(count -> {}))
                .hasMessageStartingWith("it, line 2")
                .hasMessageEndingWith("; nothing was imported");
    }

    @Test
    void a_line_that_became_wrong_after_the_check_is_told_with_its_number() throws IOException {
        Path path = fileOf(line(1), line(2));
        LetterFile file = new LetterFile(path, "it", 150);
        file.check(count -> {});
        Files.write(path, List.of(line(1), "{}"), StandardOpenOption.TRUNCATE_EXISTING);

        assertThatThrownBy(() -> idsOf(file))
                .hasMessageStartingWith("it, line 2")
                .hasMessageEndingWith("; the file has changed meanwhile");
    }
}
