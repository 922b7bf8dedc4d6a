package io.redrive.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class FailingClockTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static FailingClock afterFailuresAt(double... hours) {
        FailingClock clock = FailingClock.firstFailure(at(hours[0]));
        for (int i = 1; i < hours.length; i++) {
            clock = clock.failed(at(hours[i]));
        }
        return clock;
    }

    private static Instant at(double hours) {
        return START.plus(Duration.ofMinutes(Math.round(hours * 60)));
    }

    @Test
    void a_short_outage_starts_no_clock() {
        assertThat(afterFailuresAt(0, 1, 2, 11.9).started()).isEmpty();
    }

    @Test
    void failures_twelve_hours_apart_within_a_day_start_the_clock() {
        assertThat(afterFailuresAt(0, 12).started()).contains(at(12));
        assertThat(afterFailuresAt(0, 24).started()).contains(at(24));
        assertThat(afterFailuresAt(0, 1, 25).started()).contains(at(25));
    }

    @Test
    void failures_more_than_a_day_apart_start_no_clock() {
        assertThat(afterFailuresAt(0, 24.5).started()).isEmpty();
        assertThat(afterFailuresAt(0, 30, 60, 90).started()).isEmpty();
    }

    @Test
    void five_days_after_the_start_the_time_is_over() {
        FailingClock started = afterFailuresAt(0, 12);
        assertThat(started.disabledAt()).contains(at(132));
        assertThat(started.failed(at(131.9)).isOver()).isFalse();
        assertThat(started.failed(at(132)).isOver()).isTrue();
        assertThat(started.failed(at(80)).days()).isEqualTo(2);
    }

    @Test
    void a_clock_of_the_machine_that_jumps_back_changes_nothing() {
        FailingClock clock = afterFailuresAt(5, 6);
        assertThat(clock.failed(at(0))).isEqualTo(clock);
    }

    @Test
    void a_clock_survives_its_text() {
        assertThat(FailingClock.parse(afterFailuresAt(0, 5).text())).isEqualTo(afterFailuresAt(0, 5));
        assertThat(FailingClock.parse(afterFailuresAt(0, 12).text())).isEqualTo(afterFailuresAt(0, 12));
    }
}
