package io.redrive.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import io.redrive.jdbc.PostgresLowWater.Mark;
import io.redrive.jdbc.PostgresLowWater.Scan;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class PostgresLowWaterTest {

    private final ManualTime time = new ManualTime();
    private final PostgresLowWater water = new PostgresLowWater(time);

    @Test
    void the_first_scan_starts_at_the_beginning() {
        assertThat(water.scan().from()).isEqualTo(Mark.BEGINNING);
    }

    @Test
    void a_scan_goes_on_where_the_last_one_ended() {
        found(5, 7, Duration.ofMillis(10));
        assertThat(water.scan().from()).isEqualTo(new Mark(5, 7));
        assertThat(water.reached()).isEqualTo(6);
    }

    @Test
    void a_further_scan_of_a_transaction_begins_where_the_last_one_ended_before_the_commit() {
        found(5, 7, Duration.ofMillis(10));
        Scan first = water.scan();
        first.reach(9, 9);
        Scan further = first.further();
        assertThat(further.from()).isEqualTo(new Mark(9, 9));
        assertThat(water.scan().from()).as("of another transaction").isEqualTo(new Mark(5, 7));
    }

    @Test
    void a_scan_that_was_rolled_back_moves_nothing() {
        found(5, 7, Duration.ofMillis(10));
        Scan scan = water.scan();
        scan.reach(9, 9);
        scan.ended();
        assertThat(water.scan().from()).isEqualTo(new Mark(5, 7));
    }

    @Test
    void scans_from_the_beginning_get_a_twentieth_of_the_time() {
        found(5, 7, Duration.ofMillis(10));
        time.advance(Duration.ofMillis(199));
        assertThat(water.scan().from()).isEqualTo(new Mark(5, 7));
        time.advance(Duration.ofMillis(1));
        assertThat(water.scan().from()).isEqualTo(Mark.BEGINNING);
    }

    @Test
    void a_short_find_is_worth_a_scan_from_the_beginning_when_that_is_cheap() {
        found(5, 7, Duration.ofMillis(4));
        assertThat(water.scan().again().from()).isEqualTo(Mark.BEGINNING);
        assertThat(water.scan().again().again()).isNull();
    }

    @Test
    void a_short_find_is_not_worth_a_scan_from_the_beginning_that_is_dear() {
        found(5, 7, Duration.ofMillis(6));
        assertThat(water.scan().again()).isNull();
    }

    @Test
    void an_entry_found_behind_the_mark_moves_the_mark_back_when_more_may_follow() {
        found(5, 7, Duration.ofMillis(10));
        time.advance(Duration.ofSeconds(1));
        Scan scan = water.scan();
        scan.reach(2, 2);
        scan.satisfied();
        scan.committed();
        assertThat(water.reached()).isEqualTo(3);
    }

    @Test
    void a_straggler_behind_the_mark_does_not_move_the_mark() {
        found(5, 7, Duration.ofMillis(10));
        time.advance(Duration.ofSeconds(1));
        Scan scan = water.scan();
        scan.reach(2, 2);
        scan.committed();
        assertThat(water.reached()).isEqualTo(6);
    }

    private void found(long major, long minor, Duration took) {
        Scan scan = water.scan();
        time.advance(took);
        scan.reach(major, minor);
        scan.ended();
        scan.committed();
    }
}
