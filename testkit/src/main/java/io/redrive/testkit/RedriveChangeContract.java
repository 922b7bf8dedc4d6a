package io.redrive.testkit;

import static io.redrive.events.LetterFilter.ALL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.events.LetterFilter;
import io.redrive.events.OperatorAction;
import io.redrive.events.RedriveChange;
import io.redrive.events.RedriveOperation;
import io.redrive.events.RedrivePlan;
import io.redrive.events.RedriveRefusedException;
import io.redrive.events.RedriveState;
import io.redrive.events.RedriveTurn;
import io.redrive.events.RedrivenLetter.Result;
import io.redrive.events.Redrives;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Changes of redrive operations by operators, from any process. */
interface RedriveChangeContract extends StoreUnderTest {

    @Test
    default void a_paused_operation_sends_nothing_until_it_is_resumed() {
        StoreDriver on = open();
        RedriveDriver driver = new RedriveDriver(on);
        RedriveDriver elsewhere = new RedriveDriver(on.on(joined(on)));
        driver.letters(3);
        String id = driver.start(RedrivePlan.ALL_AT_ONCE.withPerSecond(1));
        driver.turns();

        elsewhere.change(id, RedriveChange.PAUSE);
        driver.handle();
        driver.turnsWhile(id, operation -> operation.counts().underWay() > 0);

        assertThat(driver.state(id)).isEqualTo(new RedriveState.Paused());
        assertThat(driver.results(id)).containsExactly(Result.DONE, Result.PENDING, Result.PENDING);
        assertThat(driver.turn()).isEqualTo(new RedriveTurn.Idle(RedriveTurn.LONGEST_WAIT));
        elsewhere.change(id, RedriveChange.RESUME);
        driver.turnsWhile(id, operation -> operation.counts().pending() > 0);
        assertThat(driver.on().all()).isEmpty();
    }

    @Test
    default void a_pause_does_not_use_up_the_time_of_a_stage() {
        RedriveDriver driver = new RedriveDriver(open());
        driver.letters(3);
        String id = driver.start(RedrivePlan.CANARY);
        driver.turns();
        driver.change(id, RedriveChange.PAUSE);
        driver.on().pass(Duration.ofHours(1));
        driver.turns();
        driver.change(id, RedriveChange.RESUME);
        driver.turns();
        assertThat(driver.state(id)).isEqualTo(new RedriveState.Running());
    }

    @Test
    default void a_cancelled_operation_leaves_the_other_letters_dead() {
        RedriveDriver driver = new RedriveDriver(open());
        driver.letters(3);
        String id = driver.start(RedrivePlan.CANARY);
        driver.turns();
        RedriveOperation cancelled = driver.change(id, RedriveChange.CANCEL);
        driver.on().pass(Duration.ofHours(1));
        driver.turns();
        assertThat(cancelled.times().ended()).isPresent();
        assertThat(driver.state(id)).isEqualTo(new RedriveState.Cancelled());
        assertThat(driver.on().all()).hasSize(2);
        assertThat(driver.preview(ALL, RedrivePlan.ALL_AT_ONCE).counts().selected())
                .isEqualTo(2);
    }

    @Test
    default void each_change_is_a_row_in_the_record_of_actions() {
        RedriveDriver driver = new RedriveDriver(open());
        driver.letters(3);
        String id = driver.start(RedrivePlan.CANARY);
        driver.turns();
        driver.change(id, RedriveChange.PAUSE);
        driver.change(id, RedriveChange.RESUME);
        driver.change(id, RedriveChange.CANCEL);
        driver.change(id, RedriveChange.DISMISS);
        List<OperatorAction> rows = driver.on().letters().actions(10);
        assertThat(rows)
                .extracting(OperatorAction::action)
                .containsExactly("dismiss-redrive", "cancel-redrive", "resume-redrive", "pause-redrive", "redrive");
        assertThat(rows.get(3).command().about())
                .isEqualTo("operation " + id + ": all letters; canary running, 1 of 3");
        assertThat(rows.get(4).outcome()).isEqualTo("canary cancelled, 1 of 3");
        assertThat(rows.get(4).letters()).isEqualTo(1);
    }

    @Test
    default void a_change_that_is_repeated_changes_nothing() {
        for (RedriveChange change :
                List.of(RedriveChange.START, RedriveChange.PAUSE, RedriveChange.RESUME, RedriveChange.CANCEL)) {
            RedriveDriver driver = new RedriveDriver(open());
            driver.letters(3);
            String id = driver.start(RedrivePlan.ALL_AT_ONCE);
            driver.change(id, change);
            RedriveOperation once = driver.operation(id);
            int rows = driver.on().letters().actions(10).size();
            driver.on().pass(Duration.ofSeconds(1));
            assertThat(driver.change(id, change)).isEqualTo(once);
            assertThat(driver.operation(id)).isEqualTo(once);
            assertThat(driver.on().letters().actions(10)).hasSize(rows);
        }
    }

    @Test
    default void a_change_that_the_state_forbids_is_refused() {
        RedriveDriver driver = new RedriveDriver(open());
        driver.letters(3);
        String preview = driver.preview(ALL, RedrivePlan.ALL_AT_ONCE).id();
        refuses(driver, preview, RedriveChange.PAUSE, "is previewed and cannot be paused");
        refuses(driver, preview, RedriveChange.RESUME, "is previewed and cannot be resumed");
        String running = driver.start(RedrivePlan.ALL_AT_ONCE);
        refuses(driver, running, RedriveChange.DISMISS, "is running and cannot be dismissed; cancel it first");
        driver.turns();
        driver.handle();
        driver.nextSecond(running);
        refuses(driver, running, RedriveChange.START, "is finished and cannot be started; preview anew");
        refuses(driver, running, RedriveChange.PAUSE, "is finished and cannot be paused");
        refuses(driver, running, RedriveChange.RESUME, "is finished and cannot be resumed");
        refuses(driver, running, RedriveChange.CANCEL, "is finished and cannot be cancelled");
    }

    private static void refuses(RedriveDriver driver, String id, RedriveChange change, String words) {
        RedriveOperation before = driver.operation(id);
        assertThatThrownBy(() -> driver.change(id, change))
                .isInstanceOf(RedriveRefusedException.class)
                .hasMessageContaining("operation " + id + " " + words);
        assertThat(driver.operation(id)).isEqualTo(before);
    }

    @Test
    default void a_finished_operation_stays_until_it_is_dismissed() {
        RedriveDriver driver = new RedriveDriver(open());
        driver.letters(3);
        String id = driver.start(RedrivePlan.ALL_AT_ONCE);
        driver.turns();
        driver.handle();
        driver.nextSecond(id);
        driver.on().pass(Duration.ofDays(365));
        while (driver.redrives().sweep(driver.time().now()) > 0) {
            driver.turns();
        }
        assertThat(driver.results(id)).containsOnly(Result.DONE).hasSize(3);
        driver.change(id, RedriveChange.DISMISS);
        assertThat(driver.redrives().find(id)).isEmpty();
        assertThat(driver.redrives().list(10)).isEmpty();
        assertThat(driver.redrives().letters(id, 0, 10)).isEmpty();
        while (driver.redrives().sweep(driver.time().now()) > 0) {
            assertThat(driver.redrives().find(id)).isEmpty();
        }
    }

    @Test
    default void a_preview_is_dismissed_without_a_row() {
        RedriveDriver driver = new RedriveDriver(open());
        driver.letters(1);
        driver.change(driver.preview(ALL, RedrivePlan.ALL_AT_ONCE).id(), RedriveChange.DISMISS);
        assertThat(driver.redrives().list(10)).isEmpty();
        assertThat(driver.on().letters().actions(10)).isEmpty();
    }

    @Test
    default void operations_are_listed_newest_first() {
        RedriveDriver driver = new RedriveDriver(open());
        driver.letters(3);
        List<String> ids = driver.letterIds().stream()
                .map(letter -> driver.preview(LetterFilter.ofIds(List.of(letter)), RedrivePlan.ALL_AT_ONCE)
                        .id())
                .toList();
        assertThat(driver.redrives().list(2)).extracting(RedriveOperation::id).containsExactly(ids.get(2), ids.get(1));
        assertThatThrownBy(() -> driver.redrives().list(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> driver.redrives().letters(ids.get(0), 0, 1_001))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    default void too_many_active_operations_are_refused() {
        RedriveDriver driver = new RedriveDriver(open());
        int most = Redrives.MAX_ACTIVE;
        driver.letters(most + 1);
        List<String> ids = driver.letterIds().stream()
                .map(letter -> driver.preview(LetterFilter.ofIds(List.of(letter)), RedrivePlan.ALL_AT_ONCE))
                .map(RedriveOperation::id)
                .toList();
        for (int i = 0; i < most; i++) {
            driver.change(previewedAgain(driver, ids.get(i), i), RedriveChange.START);
        }
        String last = previewedAgain(driver, ids.get(most), most);
        assertThatThrownBy(() -> driver.change(last, RedriveChange.START))
                .isInstanceOf(RedriveRefusedException.class)
                .hasMessageContaining("at most 100 operations may be running or paused");
        assertThat(driver.state(last)).isEqualTo(new RedriveState.Previewed());
    }

    /** Previews the letter once more: all letters have one cause, and an operation on it was started meanwhile. */
    private static String previewedAgain(RedriveDriver driver, String id, int index) {
        driver.change(id, RedriveChange.DISMISS);
        LetterFilter one = LetterFilter.ofIds(List.of(driver.letterIds().get(index)));
        return driver.preview(one, RedrivePlan.ALL_AT_ONCE).id();
    }
}
