package io.redrive.cli.activity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SparklineTest {

    private static final List<Long> NUMBERS = List.of(0L, 1L, 50L, 100L, 0L);

    @Test
    void the_largest_number_has_the_highest_bar_and_every_other_number_some_bar() {
        assertThat(Sparkline.of(Map.of()).draw(NUMBERS)).isEqualTo("·▁▄█·");
        assertThat(Sparkline.of(Map.of()).draw(List.of(1L, 1_000_000L, Long.MAX_VALUE)))
                .isEqualTo("▁▁█");
        assertThat(Sparkline.of(Map.of()).draw(List.of(0L, 0L))).isEqualTo("··");
        assertThat(Sparkline.of(Map.of()).draw(List.of())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"C", "POSIX", "de_DE.ISO-8859-1", "en_US"})
    void bars_are_ascii_when_the_locale_names_another_encoding(String locale) {
        assertThat(Sparkline.of(Map.of("LANG", locale)).draw(NUMBERS)).isEqualTo("_.=@_");
    }

    @Test
    void the_first_variable_that_is_set_decides() {
        assertThat(Sparkline.of(Map.of("LC_ALL", "", "LC_CTYPE", "C.UTF-8", "LANG", "C"))
                        .draw(NUMBERS))
                .isEqualTo("·▁▄█·");
        assertThat(Sparkline.of(Map.of("LC_ALL", "C", "LANG", "en_US.utf8")).draw(NUMBERS))
                .isEqualTo("_.=@_");
    }
}
