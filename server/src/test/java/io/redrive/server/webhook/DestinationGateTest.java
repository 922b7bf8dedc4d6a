package io.redrive.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.CircuitBreaker;
import io.redrive.core.ManualTime;
import io.redrive.server.webhook.DestinationGate.Entry;
import io.redrive.server.webhook.DestinationGate.Result;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DestinationGateTest {

    private final ManualTime time = new ManualTime();

    private DestinationGate gate(int concurrency, Double rate) {
        return new DestinationGate(
                "billing",
                new Route.Limits(
                        concurrency, Optional.ofNullable(rate), Duration.ofSeconds(15), true, Optional.empty()),
                time);
    }

    private static Entry.Open open(Entry entry) {
        assertThat(entry).isInstanceOf(Entry.Open.class);
        return (Entry.Open) entry;
    }

    private static Duration delay(Entry entry) {
        assertThat(entry).isInstanceOf(Entry.Later.class);
        return ((Entry.Later) entry).delay();
    }

    @Test
    void requests_beyond_the_concurrency_of_a_slow_destination_come_back_one_after_another() throws Exception {
        DestinationGate gate = gate(2, null);
        gate.enter();
        gate.enter();
        time.advance(Duration.ofSeconds(4));

        List<Duration> delays = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            delays.add(delay(gate.enter()));
        }
        assertThat(delays)
                .containsExactly(
                        Duration.ofSeconds(4), Duration.ofSeconds(6), Duration.ofSeconds(8), Duration.ofSeconds(10));
    }

    @Test
    void a_pause_of_a_tenth_of_a_second_spreads_the_next_events_over_no_seconds() throws Exception {
        DestinationGate gate = gate(2, null);
        Entry.Open usual = open(gate.enter());
        time.advance(Duration.ofMillis(4));
        gate.leave(usual, Result.ALIVE);
        gate.enter();
        gate.enter();
        time.advance(Duration.ofMillis(150));

        Duration last = Duration.ZERO;
        for (int i = 0; i < 500; i++) {
            last = delay(gate.enter());
        }
        assertThat(last).isLessThan(Duration.ofSeconds(1));
    }

    @Test
    void a_place_that_is_given_back_can_be_taken_again() throws Exception {
        DestinationGate gate = gate(1, null);
        Entry.Open first = open(gate.enter());
        time.advance(Duration.ofSeconds(1));
        delay(gate.enter());
        gate.leave(first, Result.ALIVE);
        open(gate.enter());
    }

    @Test
    void threads_that_wait_get_the_places_of_requests_that_leave_and_no_place_is_lost() throws Exception {
        DestinationGate gate = gate(2, null);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger sent = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Thread thread = new Thread(() -> {
                try {
                    for (int request = 0; request < 500; request++) {
                        if (gate.enter() instanceof Entry.Open entry) {
                            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                            sent.incrementAndGet();
                            inside.decrementAndGet();
                            gate.leave(entry, Result.ALIVE);
                        }
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            threads.add(thread);
            thread.start();
        }
        threads.get(0).interrupt();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(most.get()).isBetween(1, 2);
        assertThat(sent.get()).isPositive();
        open(gate.enter());
        open(gate.enter());
    }

    @Test
    void a_rate_spaces_requests() throws Exception {
        DestinationGate gate = gate(100, 2.0);
        int entered = 0;
        for (int tenth = 0; tenth < 100; tenth++) {
            if (gate.enter() instanceof Entry.Open entry) {
                entered++;
                gate.leave(entry, Result.ALIVE);
            }
            time.advance(Duration.ofMillis(100));
        }
        assertThat(entered).isBetween(20, 22);
    }

    @Test
    void a_broken_destination_opens_the_breaker_and_one_trial_closes_it() throws Exception {
        DestinationGate gate = gate(10, null);
        for (int i = 0; i < 5; i++) {
            gate.leave(open(gate.enter()), Result.BROKEN);
        }
        assertThat(gate.breakerState()).isEqualTo(CircuitBreaker.State.OPEN);
        assertThat(delay(gate.enter())).isGreaterThanOrEqualTo(Duration.ofSeconds(30));

        time.advance(Duration.ofSeconds(31));
        Entry.Open trial = open(gate.enter());
        delay(gate.enter());
        gate.leave(trial, Result.ALIVE);
        assertThat(gate.breakerState()).isEqualTo(CircuitBreaker.State.CLOSED);
        open(gate.enter());
    }

    @Test
    void faults_of_this_side_open_no_breaker() throws Exception {
        DestinationGate gate = gate(10, null);
        for (int i = 0; i < 100; i++) {
            gate.leave(open(gate.enter()), Result.UNKNOWN);
        }
        open(gate.enter());
    }

    @Test
    void a_destination_that_asks_for_time_gets_the_time_but_no_more_than_an_hour() throws Exception {
        DestinationGate gate = gate(10, null);
        gate.slow(Duration.ofDays(400));
        assertThat(delay(gate.enter())).isEqualTo(Duration.ofHours(1));
        time.advance(Duration.ofHours(1));
        open(gate.enter());
    }

    @Test
    void without_a_hint_the_time_doubles_up_to_a_minute_until_a_success() throws Exception {
        DestinationGate gate = gate(10, null);
        List<Duration> delays = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            gate.slow(Duration.ZERO);
            delays.add(delay(gate.enter()));
            time.advance(Duration.ofMinutes(1));
        }
        assertThat(delays).startsWith(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(4));
        assertThat(delays.get(7)).isEqualTo(Duration.ofMinutes(1));
        gate.leave(open(gate.enter()), Result.ALIVE);
        gate.slow(Duration.ZERO);
        assertThat(delay(gate.enter())).isEqualTo(Duration.ofSeconds(1));
    }
}
