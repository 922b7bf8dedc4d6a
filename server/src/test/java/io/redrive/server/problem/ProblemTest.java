package io.redrive.server.problem;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProblemTest {

    @Test
    void a_refusal_of_the_library_says_field_and_value_once() {
        assertThat(Problem.refused(
                                "name",
                                "order paid",
                                new IllegalArgumentException("name must be dotted words; got 'order paid'"))
                        .body())
                .containsEntry("detail", "name must be dotted words, got 'order paid'")
                .containsEntry("rule", "must be dotted words")
                .containsEntry("field", "name")
                .containsEntry("value", "order paid");
        assertThat(Problem.refused("due", "x", new IllegalArgumentException("no such zone"))
                        .body())
                .containsEntry("detail", "due is refused: no such zone, got 'x'");
    }

    @Test
    void a_refusal_of_a_whole_names_the_part_in_the_words_of_the_library() {
        assertThat(Problem.refusedWhole("[3]", new IllegalArgumentException("deadline must be after due"))
                        .body())
                .containsEntry("detail", "[3] is refused: deadline must be after due")
                .containsEntry("field", "[3]")
                .doesNotContainKey("value");
    }
}
