package io.redrive.events.cause;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ServiceVersionTest {

    private static final List<String> ASCENDING = List.of(
            "0.9",
            "1.0-alpha",
            "1.0-alpha.1",
            "1.0-beta",
            "1.0-rc.2",
            "1.0-rc.10",
            "1.0-SNAPSHOT",
            "1.0",
            "1.0.1",
            "v1.2",
            "1.10",
            "2",
            "2026.11.17",
            "99999999999999999999");

    @Test
    void numbers_compare_as_numbers_and_a_suffix_comes_before_its_release() {
        List<ServiceVersion> shuffled =
                new ArrayList<>(ASCENDING.stream().map(ServiceVersion::new).toList());
        Collections.shuffle(shuffled, new Random(7));
        Collections.sort(shuffled);
        assertThat(shuffled).extracting(ServiceVersion::text).containsExactlyElementsOf(ASCENDING);
    }

    @Test
    void missing_numbers_are_zero_and_build_metadata_does_not_count() {
        assertThat(new ServiceVersion("2.4")).isEqualByComparingTo(new ServiceVersion("2.4.0"));
        assertThat(new ServiceVersion("2.4+build.7")).isEqualByComparingTo(new ServiceVersion("v2.4"));
        assertThat(new ServiceVersion("2.4").isAtLeast(new ServiceVersion("2.4.0")))
                .isTrue();
        assertThat(new ServiceVersion("2.4-rc1").isAtLeast(new ServiceVersion("2.4")))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "soon", "2.4 beta", "2..4", "2.4@x", "-1", "2.4\n"})
    void a_text_that_is_no_version_is_refused_with_the_rule(String text) {
        assertThat(ServiceVersion.parse(text)).isEmpty();
        assertThatThrownBy(() -> new ServiceVersion(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("version must be numbers with dots");
    }

    @Test
    void a_huge_text_is_refused_and_cut_in_the_message() {
        assertThatThrownBy(() -> new ServiceVersion("1." + "0".repeat(100_000)))
                .hasMessageContaining("at most 64 characters")
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(300));
    }
}
