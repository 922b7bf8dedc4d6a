package io.redrive.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import io.redrive.core.Reason;
import io.redrive.events.AttemptRecord;
import io.redrive.events.Attempts;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.NamePattern;
import io.redrive.operations.policy.PolicyDraft;
import io.redrive.operations.policy.PolicyReplay;
import io.redrive.operations.policy.ReplayedEnd;
import io.redrive.pipeline.EventPolicies;
import io.redrive.pipeline.Pipeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Replays of policies, compared with real pipelines under the same policies. */
class PolicyReplayTest {

    private static final NamePattern ALL_NAMES = new NamePattern("*");

    /** A life of events: how often the handler of each fails before it succeeds, under one policy. */
    private static final class Life {
        final ManualTime time = new ManualTime();
        final EventStore store = InMemoryEventStore.withJournal(Duration.ofDays(2));
        final Map<String, Integer> calls = new HashMap<>();

        Life(Map<String, String> policy, List<Integer> failures) {
            try (Pipeline pipeline = Pipeline.on(store)
                    .time(time)
                    .executor(Runnable::run)
                    .policies(EventPolicies.defaults().with(Map.of("*", policy)))
                    .on("order.*", event -> {
                        time.advance(Duration.ofMillis(250));
                        int call = calls.merge(event.id(), 1, Integer::sum);
                        if (call <= Integer.parseInt(event.text())) {
                            throw new IllegalStateException("call " + call);
                        }
                    })
                    .build()) {
                for (int i = 0; i < failures.size(); i++) {
                    // One after the other: an attempt that waits for another would begin late.
                    publish(pipeline, "e-" + i, failures.get(i));
                }
            }
        }

        private void publish(Pipeline pipeline, String id, int failures) {
            store.publish(
                    // A name for each event: a pipeline pauses a name that dies all the time.
                    List.of(Event.named("order." + id)
                            .id(id)
                            .source("shop")
                            .time(time)
                            .text(String.valueOf(failures))
                            .build()),
                    time.now());
            pipeline.drain();
            for (int i = 0; i < 2_000 && store.stats(time.now()).delayed() > 0; i++) {
                time.advance(Duration.ofMillis(250));
                pipeline.drain();
            }
            assertThat(store.stats(time.now()).delayed()).isZero();
        }

        Operations operations() {
            return Operations.of(store, Operator.named("ann", Role.VIEWER), time);
        }

        boolean isDead(String id) {
            return store.deadLetters().count(LetterFilter.ALL.withEventId(id)) > 0;
        }
    }

    private static PolicyDraft draft(Map<String, String> before, Map<String, String> after) {
        return PolicyDraft.of(ALL_NAMES, after, EventPolicies.defaults().with(Map.of("*", before)), Map.of());
    }

    /** Waits are multiples of the pipeline's steps: an attempt begins exactly when it is due. */
    private static Map<String, String> randomPolicy(Random random) {
        Map<String, String> policy = new LinkedHashMap<>();
        policy.put("max-attempts", String.valueOf(1 + random.nextInt(6)));
        policy.put("jitter", "none");
        String backoff = List.of("none", "fixed", "linear", "exponential").get(random.nextInt(4));
        policy.put("backoff", backoff);
        if (!backoff.equals("none")) {
            policy.put("initial-delay", (1 + random.nextInt(4)) * 250 + "ms");
        }
        if (random.nextBoolean()) {
            policy.put("max-duration", (1 + random.nextInt(20)) * 250 + 1 + "ms");
        }
        return policy;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void a_replay_gives_the_ends_of_a_real_pipeline_under_the_same_policy(long seed) {
        Random random = new Random(seed);
        List<Integer> failures = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            failures.add(random.nextInt(8));
        }
        Map<String, String> before = randomPolicy(random);
        Map<String, String> after = randomPolicy(random);
        // Settings change a policy key by key: name every key, so that the second life has no value of the first.
        after.putIfAbsent("max-duration", "none");
        Life real = new Life(before, failures);
        Life other = new Life(after, failures);

        PolicyReplay replay = real.operations().policies().replay(draft(before, after));
        String context = "seed " + seed + ": " + before + " -> " + after;
        assertThat(replay.reproduced()).as(context).isEqualTo(replay.replayed());
        assertThat(replay.ends().values().stream().mapToInt(Integer::intValue).sum())
                .as(context)
                .isEqualTo(replay.replayed());
        assertThat(replay.sample().unreplayable()).as(context).isZero();

        Map<ReplayedEnd, Integer> expected = new HashMap<>();
        for (int i = 0; i < failures.size(); i++) {
            if (failures.get(i) > 0) {
                expected.merge(endOf("e-" + i, real, other), 1, Integer::sum);
            }
        }
        assertThat(replay.ends()).as(context).isEqualTo(expected);
    }

    private static ReplayedEnd endOf(String id, Life real, Life other) {
        int before = real.calls.get(id);
        int after = other.calls.get(id);
        if (!real.isDead(id)) {
            return other.isDead(id) ? ReplayedEnd.GIVEN_UP_INSTEAD : ReplayedEnd.DONE_ALIKE;
        }
        if (after > before) {
            return ReplayedEnd.TRIED_AGAIN;
        }
        return after < before ? ReplayedEnd.GIVEN_UP_SOONER : ReplayedEnd.GIVEN_UP_ALIKE;
    }

    @Test
    void attempts_and_waits_are_counted_before_and_after() {
        Map<String, String> before =
                Map.of("max-attempts", "3", "backoff", "fixed", "initial-delay", "1s", "jitter", "none");
        Life life = new Life(before, List.of(1, 2, 9));

        PolicyReplay replay = life.operations().policies().replay(draft(before, Map.of("initial-delay", "4s")));

        assertThat(replay.count(ReplayedEnd.DONE_ALIKE)).isEqualTo(2);
        assertThat(replay.recordedAttempts()).isEqualTo(2 + 3 + 3);
        assertThat(replay.replayedAttempts()).isEqualTo(2 + 3 + 3);
        assertThat(replay.recordedWaits())
                .isEqualTo(new PolicyReplay.Waits(Duration.ofSeconds(1), Duration.ofSeconds(2)));
        assertThat(replay.replayedWaits())
                .isEqualTo(new PolicyReplay.Waits(Duration.ofSeconds(4), Duration.ofSeconds(8)));
        assertThat(replay.examples()).isEmpty();
    }

    @Test
    void a_lower_limit_names_the_saved_events_that_would_be_lost() {
        Life life = new Life(Map.of("max-attempts", "5", "backoff", "none"), List.of(1, 4, 9));

        PolicyReplay replay = life.operations().policies().replay(draft(Map.of(), Map.of("max-attempts", "2")));

        assertThat(replay.count(ReplayedEnd.DONE_ALIKE)).isEqualTo(1);
        assertThat(replay.count(ReplayedEnd.GIVEN_UP_INSTEAD)).isEqualTo(1);
        assertThat(replay.count(ReplayedEnd.GIVEN_UP_SOONER)).isEqualTo(1);
        assertThat(replay.examples())
                .extracting(example -> example.event().id() + " " + example.end() + " " + example.attempts())
                .containsExactly("e-2 GIVEN_UP_SOONER 2", "e-1 GIVEN_UP_INSTEAD 2");
    }

    @Test
    void names_with_a_policy_of_their_own_are_left_out() {
        Life life = new Life(Map.of("max-attempts", "2", "backoff", "none"), List.of(9, 9));
        EventPolicies own = EventPolicies.defaults().with(Map.of("order.*", Map.of("max-attempts", "2")));

        PolicyDraft wide = PolicyDraft.of(ALL_NAMES, Map.of("max-attempts", "9"), own, Map.of());
        assertThat(life.operations().policies().replay(wide).replayed()).isZero();
        PolicyDraft narrow = PolicyDraft.of(new NamePattern("order.e-1"), Map.of("max-attempts", "9"), own, Map.of());
        assertThat(life.operations().policies().replay(narrow).count(ReplayedEnd.TRIED_AGAIN))
                .isEqualTo(1);
    }

    @Test
    void failures_that_no_number_decides_and_failures_of_former_days_are_not_replayed() {
        ManualTime time = new ManualTime();
        InMemoryEventStore store = new InMemoryEventStore();
        time.advance(Duration.ofDays(9));
        List<DeadLetter> letters = new ArrayList<>();
        for (Reason reason : Reason.values()) {
            letters.add(letter(letters.size() + 1, reason, time, 1));
        }
        // An import without the attempts before, and a letter of two days ago.
        letters.add(letter(90, Reason.MAX_ATTEMPTS_EXCEEDED, time, 3));
        ManualTime past = new ManualTime(time.now().minus(Duration.ofDays(2)));
        letters.add(letter(91, Reason.MAX_ATTEMPTS_EXCEEDED, past, 1));
        store.deadLetters().importLetters(letters, "ann", time.now());

        PolicyReplay replay = Operations.of(store, Operator.named("ann", Role.VIEWER), time)
                .policies()
                .replay(draft(Map.of(), Map.of("max-attempts", "9")));

        assertThat(replay.sample().letters()).isEqualTo(letters.size() - 1);
        assertThat(replay.sample().allLetters()).isTrue();
        assertThat(replay.count(ReplayedEnd.TRIED_AGAIN))
                .as("attempts, time, time-outs")
                .isEqualTo(3);
        assertThat(replay.replayed()).isEqualTo(3);
        assertThat(replay.sample().unreplayable()).isEqualTo(letters.size() - 1 - 3);
        assertThat(replay.sample().finishedSince()).as("no journal").isEqualTo(time.now());
    }

    private static DeadLetter letter(long id, Reason reason, ManualTime time, int attempt) {
        return new DeadLetter(
                id,
                Event.named("order.paid")
                        .id("l-" + id)
                        .source("shop")
                        .time(time)
                        .build(),
                Optional.empty(),
                reason,
                "IOException",
                "no",
                "f",
                "shop",
                new Attempts(attempt, 0, 0),
                0,
                0,
                time.now(),
                List.of(new AttemptRecord(
                        attempt, time.now(), "node", Duration.ofMillis(1), "IOException", "no", "dead", "")));
    }

    @Test
    void a_deadline_ends_a_replayed_event_as_it_ends_a_real_one() {
        ManualTime time = new ManualTime();
        InMemoryEventStore store = new InMemoryEventStore();
        Event event = Event.named("order.paid")
                .source("shop")
                .time(time)
                .deadline(time.now().plusSeconds(10))
                .build();
        DeadLetter plain = letter(1, Reason.MAX_ATTEMPTS_EXCEEDED, time, 1);
        store.deadLetters()
                .importLetters(
                        List.of(new DeadLetter(
                                1,
                                event,
                                plain.originalPayload(),
                                plain.reason(),
                                plain.errorType(),
                                plain.lastError(),
                                plain.fingerprint(),
                                plain.service(),
                                plain.attempts(),
                                0,
                                0,
                                plain.deadAt(),
                                plain.history())),
                        "ann",
                        time.now());
        PolicyOperations policies =
                Operations.of(store, Operator.named("ann", Role.VIEWER), time).policies();
        Map<String, String> soon =
                Map.of("max-attempts", "2", "backoff", "fixed", "initial-delay", "9s", "jitter", "none");
        Map<String, String> late =
                Map.of("max-attempts", "2", "backoff", "fixed", "initial-delay", "10s", "jitter", "none");
        assertThat(policies.replay(draft(Map.of(), soon)).count(ReplayedEnd.TRIED_AGAIN))
                .isEqualTo(1);
        assertThat(policies.replay(draft(Map.of(), late)).count(ReplayedEnd.GIVEN_UP_ALIKE))
                .isEqualTo(1);
    }
}
