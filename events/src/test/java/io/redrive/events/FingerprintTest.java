package io.redrive.events;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FingerprintTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "no row 17|no row 99821",
                "order 'A-1' not found|order 'B' not found",
                "no user \"ann\"|no user \"bob smith\"",
                "job 123e4567-e89b-12d3-a456-426614174000 lost|job abcdefab-cdef-abcd-efab-cdefabcdefab lost",
                "connect to 10.0.0.1:5432 refused|connect to db-2:5433 refused",
                "took 31ms|took 4000ms"
            })
    void parts_of_a_message_that_vary_between_events_do_not_count(String one, String other) {
        assertThat(Fingerprint.of("E", one)).isEqualTo(Fingerprint.of("E", other));
    }

    @Test
    void type_and_words_do_count() {
        String fingerprint = Fingerprint.of("IOException", "connection reset");
        assertThat(Fingerprint.of("SQLException", "connection reset")).isNotEqualTo(fingerprint);
        assertThat(Fingerprint.of("IOException", "connection refused")).isNotEqualTo(fingerprint);
    }

    @Test
    void a_fingerprint_is_twelve_hexadecimal_digits_and_the_same_in_every_release() {
        assertThat(Fingerprint.of("IOException", "reset")).matches("[0-9a-f]{12}");
        assertThat(Fingerprint.of("IOException", null)).isEqualTo(Fingerprint.of("IOException", ""));
    }

    @Test
    void a_huge_message_is_cut_first() {
        String huge = "x".repeat(Fingerprint.MAX_MESSAGE + 1);
        assertThat(Fingerprint.of("E", huge + "a")).isEqualTo(Fingerprint.of("E", huge + "b"));
    }
}
