package io.redrive.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.operations.LineDiff.Sign;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class LineDiffTest {

    @Test
    void a_diff_shows_changed_lines_with_two_lines_around() {
        assertThat(shown("a\nb\nc\nd\ne\nf\ng", "a\nb\nc\nX\ne\nf\ng"))
                .containsExactly("…", " b", " c", "-d", "+X", " e", " f", "…");
        assertThat(shown("a\nb", "a\nb")).isEmpty();
        assertThat(shown("", "a")).containsExactly("+a");
        assertThat(shown("a\nb", "b\nc")).containsExactly("-a", " b", "+c");
    }

    @Test
    void texts_with_too_many_differing_lines_are_replaced_as_a_whole() {
        String before = "a\n".repeat(LineDiff.MAX_COMPARED + 1);
        List<LineDiff.Line> lines = LineDiff.of(before, "b\n" + before + "c\n");
        assertThat(lines).hasSize(2 * LineDiff.MAX_COMPARED + 4);
    }

    /** The lines without the added ones are the text before, and without the removed ones the text after. */
    @Test
    void a_diff_contains_both_texts() {
        long seed = Long.getLong("redrive.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int round = 0; round < 500; round++) {
            List<String> before = lines(random);
            List<String> after = lines(random);
            List<LineDiff.Line> diff = LineDiff.of(String.join("\n", before), String.join("\n", after));
            assertThat(without(diff, Sign.ADDED))
                    .as("seed %d", seed)
                    .isEqualTo(before.equals(after) ? List.of() : before);
            assertThat(without(diff, Sign.REMOVED))
                    .as("seed %d", seed)
                    .isEqualTo(before.equals(after) ? List.of() : after);
        }
    }

    /** Three lines, all near a difference, so that no line is left out. */
    private static List<String> lines(Random random) {
        List<String> lines = new ArrayList<>();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            lines.add(List.of("a", "b", "c").get(random.nextInt(3)));
        }
        return lines;
    }

    private static List<String> without(List<LineDiff.Line> diff, Sign sign) {
        return diff.stream()
                .filter(line -> line.sign() != sign)
                .map(LineDiff.Line::text)
                .collect(Collectors.toList());
    }

    private static List<String> shown(String before, String after) {
        return LineDiff.of(before, after).stream()
                .map(line -> line.sign().mark() + line.text())
                .toList();
    }
}
