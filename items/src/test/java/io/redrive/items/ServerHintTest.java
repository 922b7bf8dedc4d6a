package io.redrive.items;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Backoff;
import io.redrive.core.Failure;
import io.redrive.core.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ServerHintTest {

    private static final Duration HINT = Duration.ofSeconds(5);

    private final Rig rig = new Rig();
    private final List<Instant> calls = new ArrayList<>();

    @Test
    void nobody_calls_a_stage_before_the_time_its_server_asked_for() {
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
    void it_counts_also_when_the_sample_was_given_up_on() {
        RunRecord end = rig.runToEnd(Rig.pipeline(refusedAtFirst(RetryPolicy.noRetry())), Rig.numbers(10));

        assertThat(end.totals().dead()).isEqualTo(1);
        assertThat(calls.subList(1, 10))
                .allMatch(call -> !call.isBefore(calls.get(0).plus(HINT)));
    }

    private Stage<String, String> refusedAtFirst(RetryPolicy policy) {
        return Stage.<String, String>of("ask", null, (value, context) -> {
                    calls.add(rig.time.now());
                    return calls.size() == 1 ? Outcome.failed(Failure.status(429, HINT)) : Outcome.value(value);
                })
                .policy(policy)
                .concurrency(1);
    }
}
