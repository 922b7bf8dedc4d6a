package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import io.redrive.core.Reason;
import io.redrive.core.RetryBudget;
import io.redrive.events.AttemptRecord;
import io.redrive.events.Attempts;
import io.redrive.events.Claim;
import io.redrive.events.Event;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.Settlement;
import io.redrive.events.SharedNotes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RetryBudgetsTest {

    private final ManualTime time = new ManualTime();
    private final SharedNotes notes = new InMemoryEventStore().notes();

    private final class Node {
        private final RetryBudget budget =
                RetryBudget.builder("shop").reserve(10).share(0.5).size(20).build();
        private final RetryBudgets budgets = new RetryBudgets();

        Node() {
            budgets.add("order.*", budget);
        }

        Node sync() {
            new Sharing(notes, List.of(budgets)).work(time.now());
            return this;
        }

        int retries(int wanted) {
            int admitted = 0;
            for (int i = 0; i < wanted; i++) {
                admitted += budgets.admits(claim(1), time.now()) ? 1 : 0;
            }
            return admitted;
        }

        void firstAttempts(int count) {
            for (int i = 0; i < count; i++) {
                budgets.attempted(claim(0), time.now());
            }
        }
    }

    private Claim claim(int failed) {
        Event event = Event.named("order.paid").source("test").time(time).build();
        return new Claim(event, 1, 1, new Attempts(failed, 0, 0), time.now(), Duration.ZERO, 0);
    }

    @Test
    void two_nodes_together_retry_no_more_than_one_budget_allows() {
        Node one = new Node().sync();
        Node two = new Node().sync();
        int admitted = 0;
        for (int second = 0; second < 10; second++) {
            admitted += one.retries(20) + two.retries(20);
            one.sync();
            two.sync();
        }
        assertThat(admitted).isEqualTo(10);
    }

    @Test
    void a_node_may_spend_tokens_that_another_node_earned() {
        Node one = new Node().sync();
        Node two = new Node().sync();
        int spent = 0;
        for (int second = 0; second < 10; second++) {
            spent += two.retries(20);
            one.sync();
            two.sync();
        }
        one.firstAttempts(8);
        for (int second = 0; second < 10; second++) {
            spent += two.retries(20);
            one.sync();
            two.sync();
        }
        assertThat(spent).isEqualTo(10 + 8 / 2);
    }

    @Test
    void an_alone_node_has_its_whole_budget_after_a_moment() {
        Node one = new Node().sync();
        int first = one.retries(10);
        assertThat(first).isEqualTo(5);
        assertThat(one.sync().retries(10)).isEqualTo(5);
    }

    @Test
    void a_first_attempt_and_a_name_without_a_budget_need_no_token() {
        Node one = new Node();
        one.budget.drain();
        assertThat(one.budgets.admits(claim(0), time.now())).isTrue();
        Event other = Event.named("mail.sent").source("test").time(time).build();
        Claim retry = new Claim(other, 1, 1, new Attempts(1, 0, 0), time.now(), Duration.ZERO, 0);
        assertThat(one.budgets.admits(retry, time.now())).isTrue();
        assertThat(one.budgets.admits(claim(1), time.now())).isFalse();
    }

    @Test
    void retries_without_a_token_ask_again_one_after_the_other_and_within_half_a_minute() {
        Node one = new Node();
        one.budget.drain();
        List<Duration> waits = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            assertThat(one.budgets.admits(claim(1), time.now())).isFalse();
            waits.add(one.budgets.waitFor(claim(1), time.now()));
        }
        assertThat(waits).startsWith(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(3));
        for (int second = 1; second <= 30; second++) {
            assertThat(waits).filteredOn(Duration.ofSeconds(second)::equals).hasSize(100);
        }
    }

    @Test
    void waiting_retries_ask_as_often_as_tokens_came_lately() {
        Node one = new Node().sync();
        assertThat(one.retries(20)).isEqualTo(5);
        time.advance(Duration.ofSeconds(1));
        one.sync();
        one.budget.drain();
        assertThat(one.budgets.waitFor(claim(1), time.now())).isEqualTo(Duration.ofSeconds(1));
        assertThat(one.budgets.waitFor(claim(1), time.now())).isEqualTo(Duration.ofMillis(1_200));
    }

    @Test
    void a_node_whose_write_fails_keeps_its_tokens_and_tries_again() {
        Node one = new Node();
        SharedNotes overtaken = new SharedNotes() {
            @Override
            public List<Note> read() {
                return notes.read();
            }

            @Override
            public boolean write(Note note) {
                return false;
            }

            @Override
            public boolean erase(Note note) {
                return false;
            }
        };
        new Sharing(overtaken, List.of(one.budgets)).work(time.now());
        assertThat(one.budget.tokens()).isEqualTo(10);
        assertThat(one.budgets.hasNews()).isTrue();
    }

    @Test
    void retries_go_on_slowly_without_tokens_once_nothing_is_left_that_earns_any() {
        Node one = new Node().sync();
        one.budget.drain();
        int admitted = 0;
        for (int second = 0; second < 20; second++) {
            admitted += one.retries(5);
            time.advance(Duration.ofSeconds(1));
        }
        assertThat(admitted).isEqualTo(10);
        one.firstAttempts(1);
        assertThat(one.retries(5)).isZero();
    }

    @Test
    void a_node_that_stops_in_order_puts_its_tokens_back() {
        for (int start = 0; start < 5; start++) {
            Node node = new Node().sync();
            time.advance(Duration.ofSeconds(1));
            node.sync();
            new Sharing(notes, List.of(node.budgets)).leave();
        }
        assertThat(notes.read())
                .singleElement()
                .satisfies(note -> assertThat(Double.parseDouble(note.value())).isEqualTo(10));
        assertThat(new Node().sync().sync().retries(20)).isEqualTo(5);
    }

    @Test
    void tokens_that_were_spent_are_not_put_back() {
        Node node = new Node().sync();
        assertThat(node.retries(3)).isEqualTo(3);
        Node other = new Node().sync();
        new Sharing(notes, List.of(node.budgets)).leave();
        new Sharing(notes, List.of(other.budgets)).leave();
        assertThat(notes.read())
                .singleElement()
                .satisfies(note -> assertThat(Double.parseDouble(note.value())).isEqualTo(7));
    }

    @Test
    void retries_of_attempts_that_timed_out_cost_what_the_budget_says() {
        RetryBudget dear = RetryBudget.builder("dear")
                .reserve(10)
                .share(0)
                .size(10)
                .timeoutCost(5)
                .build();
        RetryBudgets budgets = new RetryBudgets();
        budgets.add("order.*", dear);
        budgets.failed(claim(0), "timeout");
        budgets.failed(claim(0), "IOException");
        assertThat(budgets.admits(claim(1), time.now())).isTrue();
        assertThat(dear.tokens()).isEqualTo(5);
        assertThat(budgets.admits(claim(1), time.now())).isTrue();
        assertThat(dear.tokens()).isEqualTo(4);
    }

    @Test
    void nodes_that_leave_fill_the_pool_to_its_size_and_no_further() {
        Node one = new Node().sync();
        Node two = new Node().sync();
        one.firstAttempts(100);
        two.firstAttempts(100);
        new Sharing(notes, List.of(one.budgets)).leave();
        new Sharing(notes, List.of(two.budgets)).leave();
        assertThat(notes.read())
                .singleElement()
                .satisfies(note -> assertThat(Double.parseDouble(note.value())).isEqualTo(20));
    }

    @Test
    void a_node_that_leaves_while_another_writes_tries_again() {
        Node leaving = new Node().sync();
        SharedNotes busy = new SharedNotes() {
            private int refusals = 3;

            @Override
            public List<Note> read() {
                return notes.read();
            }

            @Override
            public boolean write(Note note) {
                return refusals-- <= 0 && notes.write(note);
            }

            @Override
            public boolean erase(Note note) {
                return notes.erase(note);
            }
        };
        new Sharing(busy, List.of(leaving.budgets)).leave();
        assertThat(notes.read())
                .singleElement()
                .satisfies(note -> assertThat(Double.parseDouble(note.value())).isEqualTo(10));
    }

    @Test
    void a_settled_attempt_that_timed_out_makes_the_next_retry_dear() {
        RetryBudget dear = RetryBudget.builder("dear")
                .reserve(10)
                .share(0)
                .size(10)
                .timeoutCost(5)
                .build();
        RetryBudgets budgets = new RetryBudgets();
        budgets.add("order.*", dear);
        AttemptRecord line = new AttemptRecord(
                1, time.now(), "node", Duration.ZERO, Reason.TIMEOUT.code(), "too slow", "retry", "after 1s");
        Settlement retry = new Settlement.Retry(claim(0), time.now(), Duration.ZERO, line);
        new Admission(new NamePauses(event -> {}), budgets).settled(new ClaimEnd.Decided(retry), time.now());
        assertThat(budgets.admits(claim(1), time.now())).isTrue();
        assertThat(dear.tokens()).isEqualTo(5);
    }
}
