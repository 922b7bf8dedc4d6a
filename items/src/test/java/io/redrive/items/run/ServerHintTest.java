package io.redrive.items.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Backoff;
import io.redrive.core.Failure;
import io.redrive.core.HasRetryAfter;
import io.redrive.core.RetryPolicy;
import io.redrive.items.RunListener;
import io.redrive.items.Stage;
import io.redrive.items.StageOutcome;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.Totals;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

final class ServerHintTest {

    private static final Duration HINT = Duration.ofSeconds(5);

    private final Rig rig = new Rig();
    private final List<Instant> calls = new ArrayList<>();
    private RunListener listener = new RunListener() {};

    @Test
    void a_stage_is_not_called_before_the_time_that_its_server_asked_for() {
        RunRecord end = rig.runToEnd(
                Rig.pipeline(refusedAtFirst(RetryPolicy.builder()
                        .maxAttempts(2)
                        .backoff(Backoff.none())
                        .build())),
                Rig.numbers(10));

        assertThat(end.totals().succeeded()).isEqualTo(10);
        assertThat(calls).hasSize(11);
        assertThat(calls.subList(1, 11))
                .allMatch(call -> !call.isBefore(calls.get(0).plus(HINT)));
    }

    @Test
    void the_hint_of_a_dead_sample_pauses_the_stage() {
        RunRecord end = rig.runToEnd(Rig.pipeline(refusedAtFirst(RetryPolicy.noRetry())), Rig.numbers(10));

        assertThat(end.totals().dead()).isEqualTo(1);
        assertThat(calls.subList(1, 10))
                .allMatch(call -> !call.isBefore(calls.get(0).plus(HINT)));
    }

    @Test
    void the_hint_of_one_sample_of_a_batch_pauses_the_stage() {
        Stage<String, String> batches = Stage.<String, String>batchOf("ask", 5, null, (values, contexts) -> {
                    calls.add(rig.time.now());
                    List<StageOutcome<String>> outcomes = new ArrayList<>();
                    values.forEach(value -> outcomes.add(StageOutcome.value(value)));
                    if (calls.size() == 1) {
                        outcomes.set(2, StageOutcome.failed(Failure.status(429, HINT)));
                    }
                    return outcomes;
                })
                .concurrency(1);
        RunRecord end = rig.runToEnd(Rig.pipeline(batches), Rig.numbers(20));

        assertThat(end.totals().succeeded()).isEqualTo(20);
        assertThat(calls.subList(1, calls.size()))
                .allMatch(call -> !call.isBefore(calls.get(0).plus(HINT)));
    }

    @Test
    void a_hint_that_expires_before_it_is_heard_of_does_not_stop_the_stage_for_ever() {
        Iterator<Duration> left = List.of(HINT, Duration.ZERO, Duration.ZERO).iterator();
        assertThat(runWithFirst(new Refused(() -> Optional.of(left.next()))).succeeded())
                .isEqualTo(10);
    }

    @Test
    void an_exception_that_cannot_even_say_how_long_costs_its_sample_and_not_the_run() {
        Refused broken = new Refused(() -> {
            throw new IllegalStateException("no such header");
        });
        assertThat(runWithFirst(broken).dead()).isEqualTo(1);
    }

    @Test
    void an_absurd_time_holds_the_stage_no_longer_than_its_policy_allows() {
        Instant began = rig.time.now();
        assertThat(runWithFirst(new Refused(() -> Optional.of(Duration.ofDays(40_000))))
                        .succeeded())
                .isEqualTo(10);
        assertThat(rig.time.now()).isBefore(began.plus(Duration.ofDays(2)));
    }

    @Test
    void a_time_that_has_passed_is_no_wish() {
        List<RunListener.Slowed> heard = new ArrayList<>();
        listener = new RunListener() {
            @Override
            public void onSlowed(Slowed event) {
                heard.add(event);
            }
        };
        assertThat(runWithFirst(new Refused(() -> Optional.of(HINT.negated()))).succeeded())
                .isEqualTo(10);
        assertThat(heard).isEmpty();
    }

    /** An exception with a newly computed hint for each question. */
    private static final class Refused extends RuntimeException implements HasRetryAfter {
        private static final long serialVersionUID = 1L;
        private final transient Supplier<Optional<Duration>> wish;

        Refused(Supplier<Optional<Duration>> wish) {
            this.wish = wish;
        }

        @Override
        public Optional<Duration> retryAfter() {
            return wish.get();
        }
    }

    private Totals runWithFirst(Refused refused) {
        Stage<String, String> stage = Stage.<String, String>of("ask", null, (value, context) -> {
                    calls.add(rig.time.now());
                    if (calls.size() == 1) {
                        throw refused;
                    }
                    return StageOutcome.value(value);
                })
                .policy(RetryPolicy.builder()
                        .maxAttempts(2)
                        .backoff(Backoff.none())
                        .build())
                .concurrency(1);
        return rig.finish(rig.run(Rig.pipeline(stage), Rig.numbers(10), builder -> builder.listener(listener)))
                .totals();
    }

    private Stage<String, String> refusedAtFirst(RetryPolicy policy) {
        return Stage.<String, String>of("ask", null, (value, context) -> {
                    calls.add(rig.time.now());
                    return calls.size() == 1
                            ? StageOutcome.failed(Failure.status(429, HINT))
                            : StageOutcome.value(value);
                })
                .policy(policy)
                .concurrency(1);
    }
}
