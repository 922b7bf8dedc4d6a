package io.redrive.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

final class NamePatternTest {

    @ParameterizedTest
    @CsvSource({
        "order.paid, order.paid, true",
        "order.paid, order.paid.twice, false",
        "ml.run.*, ml.run.started, true",
        "ml.run.*, ml.run.step.done, true",
        "ml.run.*, ml.run, false",
        "ml.run.*, ml.runner.x, false",
        "*, anything, true",
        "*, any.thing.at.all, true",
    })
    void a_pattern_matches_whole_words(String pattern, String name, boolean matches) {
        assertThat(new NamePattern(pattern).matches(name)).isEqualTo(matches);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", ".*", "a*", "*.a", "a.*.b", "a..*", "**", "a b"})
    void a_text_that_is_no_pattern_is_refused(String text) {
        assertThatThrownBy(() -> new NamePattern(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("name pattern must be an event name, a prefix such as ml.run.* or *; got "
                        + (text == null ? "null" : "'" + text + "'"));
    }

    @Test
    void the_most_specific_comes_first() {
        assertThat(List.of("*", "ml.*", "b.c", "ml.run.*", "ml.run.started", "a.c").stream()
                        .map(NamePattern::new)
                        .sorted(NamePattern.MOST_SPECIFIC_FIRST)
                        .map(NamePattern::text))
                .containsExactly("ml.run.started", "a.c", "b.c", "ml.run.*", "ml.*", "*");
    }
}
