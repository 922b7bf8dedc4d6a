package io.redrive.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationTextTest {

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource({
        "250ms, PT0.25S",
        "1.5s, PT1.5S",
        "30m, PT30M",
        "1h 30m, PT1H30M",
        "1h30m, PT1H30M",
        "2d, PT48H",
        "7ns, PT0.000000007S",
        "7us, PT0.000007S",
        "7µs, PT0.000007S",
        "' 5 s ', PT5S",
        "0s, PT0S",
        "PT30M, PT30M",
        "pt1s, PT1S",
        "P1D, PT24H",
    })
    void durations_are_read_as_people_write_them(String text, Duration expected) {
        assertThat(DurationText.parse(text)).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0} is written {1}")
    @CsvSource({
        "PT0S, 0ms",
        "PT0.000000001S, 0.001us",
        "PT0.0000015S, 1.5us",
        "PT0.001S, 1ms",
        "PT0.25S, 250ms",
        "PT0.0015S, 1.5ms",
        "PT1S, 1s",
        "PT59.5S, 59.5s",
        "PT1M, 1m",
        "PT1M0.5S, 1m 0.5s",
        "PT5M, 5m",
        "PT1H30M, 1h 30m",
        "PT25H1M1S, 1d 1h 1m 1s",
        "PT48H, 2d",
    })
    void durations_are_written_short(Duration duration, String expected) {
        assertThat(DurationText.format(duration)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "5", "s", "-5s", "5 parsecs", "5s!", "x5s", "5s x 3m", "1,5s", "P", "PTx", "5S"})
    void a_text_that_is_no_duration_is_refused_with_the_rule_and_the_text(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DurationText.parse(text))
                .withMessage(
                        "duration must be a number with a unit (ns, us, ms, s, m, h, d) or ISO-8601, such as 250ms,"
                                + " 1.5s, 30m or PT30M; got '" + text + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"106752d", "99999999999999999999999d", "200000000000h"})
    void more_than_the_longest_is_the_longest(String text) {
        assertThat(DurationText.parse(text)).isEqualTo(Backoff.LONGEST);
    }

    @Test
    void a_written_duration_is_read_back_to_a_thousandth() {
        RandomGenerator random = Seeds.random(20);
        for (int i = 0; i < 20_000; i++) {
            Duration duration = Duration.ofNanos(random.nextLong(1L << random.nextInt(1, 60)));
            Duration back = DurationText.parse(DurationText.format(duration));
            double difference = Math.abs(back.toNanos() - (double) duration.toNanos());
            assertThat(difference)
                    .as(Seeds.replay(duration))
                    .isLessThanOrEqualTo(Math.max(1, duration.toNanos() * 0.000_6));
        }
    }

    @Test
    void whole_milliseconds_are_read_back_exactly() {
        RandomGenerator random = Seeds.random(21);
        for (int i = 0; i < 20_000; i++) {
            Duration duration = Duration.ofMillis(random.nextLong(1L << random.nextInt(1, 43)));
            assertThat(DurationText.parse(DurationText.format(duration)))
                    .as(Seeds.replay(duration))
                    .isEqualTo(duration);
        }
    }

    @Test
    void numbers_have_no_needless_zeros() {
        assertThat(DurationText.number(2)).isEqualTo("2");
        assertThat(DurationText.number(1.5)).isEqualTo("1.5");
        assertThat(DurationText.number(0.125)).isEqualTo("0.125");
        assertThat(DurationText.number(100.0001)).isEqualTo("100");
        assertThat(DurationText.number(7.000000000000001)).isEqualTo("7");
    }
}
