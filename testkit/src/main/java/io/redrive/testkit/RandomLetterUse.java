package io.redrive.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Reason;
import io.redrive.events.Claim;
import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetters;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.Fingerprint;
import io.redrive.events.LetterFilter;
import io.redrive.events.LetterGroup;
import io.redrive.events.OperatorCommand;
import io.redrive.events.RedriveRequest;
import io.redrive.events.Settlement;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * Letters come and go in every way a store knows, from two objects on one store. Any call may fail before or after it took effect,
 * and the process may crash after it. After each step all counts and groups are compared with the listed letters. The seed decides
 * every choice.
 */
final class RandomLetterUse {

    private static final int STEPS = 50;
    private static final List<String> NAMES = List.of("order.paid", "order.sent", "ml.run.started");
    private static final List<String> ERRORS = List.of("IOException", "SQLException", "ParseException");
    private static final List<Reason> REASONS = List.of(Reason.TIMEOUT, Reason.POISON);
    private static final List<String> CAUSES =
            ERRORS.stream().map(error -> Fingerprint.of(error, "gone")).toList();

    private final SplittableRandom random;
    private final StoreUnderTest under;
    private final StoreDriver on;
    private final List<EventStore> stores;
    private List<DeadLetter> export = List.of();
    private int numbers;

    RandomLetterUse(long seed, StoreUnderTest under) {
        random = new SplittableRandom(seed);
        this.under = under;
        on = under.open();
        stores = new ArrayList<>(List.of(on.store(), under.joined(on)));
    }

    void run() {
        for (int i = 0; i < STEPS; i++) {
            step();
            on.pass(Duration.ofSeconds(random.nextInt(20)));
            check(any(stores).deadLetters());
            assertThat(any(stores).stats(on.time().now()).dead())
                    .as("dead events of the statistics")
                    .isEqualTo(on.all().size());
        }
    }

    private void step() {
        EventStore store = any(stores);
        boolean fails = random.nextInt(4) == 0;
        EventStore used = fails
                ? FaultyStore.failing(store, 1 + random.nextInt(3), any(List.of(FaultyStore.Moment.values())))
                : store;
        try {
            act(on.on(used));
        } catch (FaultyStore.Fault fault) {
            if (random.nextBoolean()) {
                stores.set(stores.indexOf(store), under.reopened(on));
            }
        }
    }

    private void act(StoreDriver by) {
        switch (random.nextInt(10)) {
            case 0, 1, 2 -> die(by);
            case 3 -> redrive(by);
            case 4 -> by.letters().purge(filter(), 1 + random.nextInt(3), command(), now());
            case 5 -> export = by.letters().listWithHistory(filter(), 0, DeadLetters.MAX_PAGE);
            case 6 -> by.letters().importLetters(export, command(), now());
            case 7 -> care(by);
            case 8 -> merge(by);
            default -> by.store().expire(now());
        }
    }

    /** Publishes events and lets every claimable event die, some in one call. */
    private void die(StoreDriver by) {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(6); i++) {
            events.add(Event.named(any(NAMES))
                    .id("e" + numbers++)
                    .source("shop")
                    .time(on.time())
                    .build());
        }
        by.publish(events);
        List<Settlement> dead = new ArrayList<>();
        for (Claim claim : by.claim()) {
            dead.add(by.deadOf(claim, any(REASONS), any(ERRORS), "gone"));
        }
        by.store().settle(dead, now());
    }

    private void redrive(StoreDriver by) {
        String batch = "batch-" + numbers++;
        by.letters().redrive(new RedriveRequest(filter(), 1 + random.nextInt(3), batch, "ann", false, now()));
    }

    private void care(StoreDriver by) {
        List<DeadLetter> some = by.letters().list(filter(), 0, 3);
        if (random.nextBoolean()) {
            by.letters().retire(some, command(), now());
        } else if (!some.isEmpty()) {
            byte[] payload = ("edit " + numbers++).getBytes(StandardCharsets.UTF_8);
            by.letters().edit(some.get(0).id(), payload, command(), now());
        }
    }

    /** Moves some letters of a cause into another; a merge that the store refuses changes nothing. */
    private void merge(StoreDriver by) {
        try {
            by.letters().causes().merge(any(CAUSES), any(CAUSES), 1 + random.nextInt(3), command(), now());
        } catch (IllegalArgumentException refused) {
            assertThat(refused).hasMessageContaining("cause");
        }
    }

    private void check(DeadLetters letters) {
        List<DeadLetter> all = on.letters().list(LetterFilter.ALL, 0, DeadLetters.MAX_PAGE);
        for (LetterFilter filter : List.of(
                LetterFilter.ALL,
                LetterFilter.ALL.withRedacted(LetterFilter.Redacted.INCLUDED),
                LetterFilter.ALL.withTime(null, now().minusSeconds(random.nextInt(60))),
                filter(),
                filter().withTime(null, now()),
                filter().withName("order.*").withReason(any(REASONS)))) {
            check(letters, filter, all.stream().filter(filter::matches).toList());
        }
        Map<String, Long> byCause =
                all.stream().collect(Collectors.groupingBy(DeadLetter::fingerprint, Collectors.counting()));
        assertThat(letters.countByCause(CAUSES)).isEqualTo(byCause);
    }

    private static void check(DeadLetters letters, LetterFilter filter, List<DeadLetter> selected) {
        String words = filter.describe();
        assertThat(letters.count(filter)).as("count of %s", words).isEqualTo(selected.size());
        List<LetterGroup> expected =
                selected.stream().collect(Collectors.groupingBy(DeadLetter::fingerprint)).values().stream()
                        .map(RandomLetterUse::group)
                        .sorted(Comparator.comparing(LetterGroup::count)
                                .reversed()
                                .thenComparing(LetterGroup::fingerprint))
                        .toList();
        assertThat(letters.groups(filter, 10)).as("groups of %s", words).isEqualTo(expected);
        assertThat(letters.groups(filter, 1))
                .isEqualTo(expected.stream().limit(1).toList());
    }

    private static LetterGroup group(List<DeadLetter> alike) {
        List<DeadLetter> inOrder = alike.stream()
                .sorted(Comparator.comparing(DeadLetter::deadAt).thenComparing(DeadLetter::id))
                .toList();
        DeadLetter oldest = inOrder.get(0);
        return new LetterGroup(
                oldest.fingerprint(),
                oldest.errorType(),
                oldest.lastError(),
                alike.size(),
                alike.stream()
                        .map(letter -> letter.event().name())
                        .distinct()
                        .sorted()
                        .toList(),
                oldest.deadAt(),
                inOrder.get(inOrder.size() - 1).deadAt());
    }

    private LetterFilter filter() {
        return switch (random.nextInt(7)) {
            case 0 -> LetterFilter.ALL;
            case 1 -> LetterFilter.ALL.withName(any(NAMES));
            case 2 -> LetterFilter.ALL.withReason(any(REASONS));
            case 3 -> LetterFilter.ALL.withFingerprint(any(CAUSES));
            case 4 -> LetterFilter.ALL.withErrorType(any(ERRORS));
            case 5 -> LetterFilter.ALL.withTime(now().minusSeconds(30), null);
            default -> LetterFilter.ALL.withFingerprint(any(CAUSES)).withName(any(NAMES));
        };
    }

    private OperatorCommand command() {
        return new OperatorCommand("command-" + numbers++, "ann", "", "");
    }

    private Instant now() {
        return on.time().now();
    }

    private <T> T any(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }
}
