package io.redrive.items.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Backoff;
import io.redrive.core.HttpStatusException;
import io.redrive.core.RetryPolicy;
import io.redrive.items.RateLimit;
import io.redrive.items.RunSettings;
import io.redrive.items.Stage;
import io.redrive.items.StageOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The pace of calls of two processes that share a run. */
final class SharedPaceTest {

    private final Rig rig = new Rig();
    private final List<Call> calls = new ArrayList<>();

    private record Call(String node, long millis) {}

    @Test
    void the_rate_limit_holds_for_both_together() {
        Run one = process("one", false);
        Run other = process("other", false);
        finish(one, other);

        assertThat(rig.results).hasSize(200).doesNotHaveDuplicates();
        assertThat(calls).extracting(Call::node).contains("one", "other");
        List<Long> together = calls.stream()
                .map(Call::millis)
                .filter(millis -> millis > 2_000)
                .sorted()
                .toList();
        for (int i = 0; i + 22 < together.size(); i++) {
            assertThat(together.get(i + 22) - together.get(i)).isGreaterThanOrEqualTo(1_900);
        }
    }

    @Test
    void a_joining_process_makes_no_limited_call_before_the_others_hear_of_it() {
        leaveSamplesInTheStore();
        Run one = process("one", false);
        step(one, 30);
        Run other = process("other", false);
        other.step();
        assertThat(other.progress().inFlight()).as("what it could call for").isPositive();
        long joined = now();
        finish(one, other);

        assertThat(first("other") - joined).isBetween(1_000L, 1_200L);
    }

    /** A run whose samples are all taken from the source and wait in the store. */
    private void leaveSamplesInTheStore() {
        Run gone = process("gone", false, 200);
        step(gone, 30);
        gone.stop();
        rig.finish(gone);
        assertThat(rig.store
                        .archive()
                        .find("run-1", rig.time.now())
                        .orElseThrow()
                        .balance()
                        .begun())
                .isGreaterThan(150);
    }

    @Test
    void the_last_process_gets_the_whole_rate_again() {
        Run one = process("one", false);
        Run other = process("other", false);
        while (calls.size() < 40) {
            stepBoth(one, other);
        }
        other.close();
        long alone = now() + 2_000;
        finish(one, other);

        List<Long> after = calls.stream()
                .map(Call::millis)
                .filter(millis -> millis > alone)
                .toList();
        assertThat(after.get(20) - after.get(0)).isBetween(1_900L, 2_300L);
    }

    @Test
    void a_pause_of_one_process_reaches_the_other_within_a_second() {
        leaveSamplesInTheStore();
        Run other = process("other", false);
        step(other, 30);
        Run one = process("one", true);
        finish(one, other);

        long asked = first("one");
        assertThat(calls)
                .as("the other had something to call for")
                .anyMatch(call ->
                        call.node().equals("other") && call.millis() > asked - 1_000 && call.millis() < asked + 1_200)
                .noneMatch(call -> call.millis() > asked + 1_200 && call.millis() < asked + 7_000);
        assertThat(rig.results).hasSize(200);
    }

    private Run process(String node, boolean refused) {
        return process(node, refused, 40);
    }

    private Run process(String node, boolean refused, int window) {
        Stage<String, String> stage = Stage.<String, String>of("api", null, (text, context) -> {
                    calls.add(new Call(node, now()));
                    if (refused
                            && calls.stream().noneMatch(call -> call.node().equals(node) && call.millis() < now())) {
                        throw new HttpStatusException(429, "slow down", Duration.ofSeconds(7));
                    }
                    return StageOutcome.value(text);
                })
                .policy(RetryPolicy.builder()
                        .maxAttempts(10)
                        .backoff(Backoff.fixed(Duration.ofMillis(100)))
                        .build())
                .rateLimit(RateLimit.perSecond(10));
        return rig.run(
                Rig.pipeline(stage),
                Rig.numbers(200),
                builder -> builder.node(node)
                        .settings(RunSettings.STANDARD.withWindow(window).withLease(Duration.ofSeconds(30))));
    }

    private long first(String node) {
        return calls.stream()
                .filter(call -> call.node().equals(node))
                .mapToLong(Call::millis)
                .min()
                .orElseThrow();
    }

    private long now() {
        return rig.time.nanos() / 1_000_000;
    }

    private void finish(Run one, Run other) {
        for (int i = 0; !one.isOver() || !other.isOver(); i++) {
            stepBoth(one, other);
            assertThat(i).as("steps").isLessThan(1_000_000);
        }
    }

    private void step(Run run, int times) {
        for (int i = 0; i < times; i++) {
            stepBoth(run, run);
        }
    }

    private void stepBoth(Run one, Run other) {
        boolean moved = one.step();
        moved |= other.step();
        if (!moved) {
            rig.time.advance(Duration.ofMillis(10));
        }
    }
}
