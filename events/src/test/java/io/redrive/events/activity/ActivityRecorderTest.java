package io.redrive.events.activity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ActivityRecorderTest {

    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
    private static final String PAID = "order.paid";

    private final ActivityRecorder recorder = new ActivityRecorder("node-1");
    private final Written log = new Written();

    /** Keeps reports, and fails while it is told to. */
    private static final class Written implements ActivityLog {
        private final List<ActivityReport> reports = new ArrayList<>();
        private boolean failing;
        private boolean losing;

        @Override
        public void write(ActivityReport report) {
            if (!failing) {
                reports.add(report);
            }
            if (failing || losing) {
                throw new IllegalStateException("the store failed");
            }
        }

        @Override
        public Activity read(ActivityQuery query) {
            return new Activity.Builder(query).build();
        }

        @Override
        public int expire(Instant now) {
            return 0;
        }

        List<String> done() {
            return reports.stream()
                    .map(report -> report.node() + " " + report.minute() + " " + done(report.inMinute()) + "/"
                            + done(report.inHour()))
                    .toList();
        }

        static long done(List<NameActivity> activity) {
            return activity.stream()
                    .mapToLong(each -> each.totals().counts().done())
                    .sum();
        }
    }

    @Test
    void the_first_minute_is_written_in_parts_and_the_whole_minute_replaces_them() {
        recorder.writeFirst(log);
        recorder.done(PAID, NOON.plusSeconds(1));
        recorder.writeFirst(log);
        recorder.done(PAID, NOON.plusSeconds(20));
        recorder.write(log, NOON.plusSeconds(61));
        recorder.done(PAID, NOON.plusSeconds(62));
        recorder.writeFirst(log);
        recorder.write(log, NOON.plusSeconds(121));
        assertThat(log.done())
                .containsExactly(
                        "node-1 2030-01-01T12:00:00Z 1/1",
                        "node-1 2030-01-01T12:00:00Z 2/2",
                        "node-1 2030-01-01T12:01:00Z 1/3");
    }

    @Test
    void a_minute_is_written_once_it_is_over() {
        recorder.done(PAID, NOON);
        recorder.done(PAID, NOON.plusSeconds(59));
        write(NOON.plusSeconds(59));
        assertThat(log.done()).isEmpty();
        assertThat(recorder.isDue(NOON.plusSeconds(59))).isFalse();
        assertThat(recorder.isDue(NOON.plusSeconds(60))).isTrue();
        write(NOON.plusSeconds(60));
        write(NOON.plusSeconds(61));
        assertThat(log.done()).containsExactly("node-1 2030-01-01T12:00:00Z 2/2");
    }

    @Test
    void every_kind_of_activity_is_counted() {
        recorder.published(PAID, false, NOON);
        recorder.published(PAID, true, NOON);
        recorder.published(PAID, false, NOON);
        recorder.handled(PAID, Duration.ofMillis(3), NOON);
        recorder.done(PAID, NOON);
        recorder.done(PAID, Duration.ofMillis(5), NOON);
        recorder.retried(PAID, NOON);
        recorder.dead(PAID, NOON);
        recorder.batch(PAID, false, NOON);
        recorder.batch(PAID, true, NOON);
        recorder.writeAll(log);
        ActivityTotals totals = new ActivityTotals(
                new ActivityCounts(2, 1, 2, 1, 1, 2, 1),
                DurationHistogram.of(Duration.ofMillis(3)),
                DurationHistogram.of(Duration.ofMillis(5)));
        assertThat(log.reports.get(0).inMinute()).containsExactly(new NameActivity(PAID, totals));
        assertThat(log.reports.get(0).inHour()).containsExactly(new NameActivity(PAID, totals));
    }

    @Test
    void the_hour_grows_minute_by_minute_and_begins_anew() {
        recorder.done(PAID, NOON);
        recorder.done(PAID, NOON.plusSeconds(60));
        write(NOON.plusSeconds(60));
        recorder.done("other.name", NOON.plusSeconds(120));
        write(NOON.plusSeconds(120));
        recorder.done(PAID, NOON.plusSeconds(3_600));
        write(NOON.plusSeconds(3_700));
        assertThat(log.done())
                .containsExactly(
                        "node-1 2030-01-01T12:00:00Z 1/1",
                        "node-1 2030-01-01T12:01:00Z 1/2",
                        "node-1 2030-01-01T12:02:00Z 1/1",
                        "node-1 2030-01-01T13:00:00Z 1/1");
        assertThat(log.reports.get(2).inHour())
                .as("only names of the minute")
                .extracting(NameActivity::name)
                .containsExactly("other.name");
    }

    @Test
    void a_report_is_repeated_unchanged_until_it_is_confirmed() {
        recorder.done(PAID, NOON);
        log.losing = true;
        failToWrite(NOON.plusSeconds(60));
        recorder.done(PAID, NOON.plusSeconds(65));
        recorder.done(PAID, NOON.plusSeconds(125));
        failToWrite(NOON.plusSeconds(130));
        assertThat(log.reports.get(1)).isSameAs(log.reports.get(0));
        log.losing = false;
        write(NOON.plusSeconds(200));
        assertThat(log.done().subList(2, 4))
                .containsExactly("node-1 2030-01-01T12:00:00Z 1/1", "node-1 2030-01-01T12:01:00Z 2/3");
    }

    @Test
    void an_outage_loses_no_count_and_keeps_two_minutes_in_memory() {
        log.failing = true;
        for (int minute = 0; minute < 100; minute++) {
            recorder.done(PAID, NOON.plusSeconds(60L * minute));
            failToWrite(NOON.plusSeconds(60L * minute + 60));
        }
        log.failing = false;
        write(NOON.plusSeconds(6_060));
        assertThat(log.done()).containsExactly("node-1 2030-01-01T12:00:00Z 1/1", "node-1 2030-01-01T12:01:00Z 99/100");
    }

    @Test
    void a_count_that_comes_late_belongs_to_the_next_minute() {
        recorder.done(PAID, NOON.plusSeconds(59));
        write(NOON.plusSeconds(60));
        recorder.done(PAID, NOON.plusSeconds(59));
        recorder.done(PAID, NOON.plusSeconds(61));
        write(NOON.plusSeconds(120));
        assertThat(log.done()).containsExactly("node-1 2030-01-01T12:00:00Z 1/1", "node-1 2030-01-01T12:01:00Z 2/3");
    }

    @Test
    void counts_after_the_last_write_of_a_stop_replace_nothing() {
        recorder.done(PAID, NOON);
        recorder.writeAll(log);
        recorder.done(PAID, NOON.plusSeconds(1));
        recorder.writeAll(log);
        assertThat(log.done()).containsExactly("node-1 2030-01-01T12:00:00Z 1/1", "node-1 2030-01-01T12:01:00Z 1/2");
    }

    @Test
    void a_clock_set_back_replaces_no_earlier_minute() {
        recorder.done(PAID, NOON);
        write(NOON.plusSeconds(60));
        recorder.done(PAID, NOON.plusSeconds(7_200));
        Instant back = NOON.plusSeconds(30);
        assertThat(recorder.isDue(back)).isTrue();
        recorder.done(PAID, back);
        write(back);
        write(back.plusSeconds(60));
        assertThat(log.done())
                .containsExactly(
                        "node-1 2030-01-01T12:00:00Z 1/1",
                        "node-1 2030-01-01T14:00:00Z 1/1",
                        "2/node-1 2030-01-01T12:00:00Z 1/1");
    }

    @Test
    void the_longest_name_of_a_node_has_room_for_another_run() {
        ActivityRecorder longest = new ActivityRecorder("n".repeat(200));
        longest.done(PAID, NOON);
        longest.writeAll(log);
        longest.done(PAID, NOON.minusSeconds(3_600));
        longest.writeAll(log);
        assertThat(log.reports.get(1).node()).hasSize(200).startsWith("2/n");
    }

    @Test
    void names_beyond_the_limit_are_added_up() {
        int names = ActivityLog.MAX_NAMES + 5;
        for (int minute = 0; minute < 2; minute++) {
            for (int i = 0; i < names; i++) {
                recorder.done("name-" + minute + "-" + i, NOON.plusSeconds(60L * minute));
            }
        }
        recorder.done("name-0-7", NOON.plusSeconds(60));
        write(NOON.plusSeconds(120));
        assertThat(log.done())
                .hasSize(2)
                .allMatch(line -> line.contains("12:00:00Z 1005/1005") || line.contains("12:01:00Z 1006/"));
        assertThat(log.reports.get(0).inMinute())
                .hasSize(ActivityLog.MAX_NAMES + 1)
                .filteredOn(each -> each.name().equals(NameActivity.OTHER))
                .extracting(each -> each.totals().counts().done())
                .containsExactly(5L);
        assertThat(log.reports.get(1).inMinute())
                .as("the limit holds for the hour")
                .extracting(NameActivity::name)
                .containsExactlyInAnyOrder(NameActivity.OTHER, "name-0-7");
    }

    private void write(Instant now) {
        recorder.write(log, now);
    }

    private void failToWrite(Instant now) {
        assertThatIllegalStateException().isThrownBy(() -> recorder.write(log, now));
    }
}
