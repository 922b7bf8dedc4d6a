package io.redrive.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Reason;
import io.redrive.events.Claim;
import io.redrive.events.ClaimFilter;
import io.redrive.events.ClaimRequest;
import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetters;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.Exchange;
import io.redrive.events.Lane;
import io.redrive.events.LeaseHolders;
import io.redrive.events.LetterFilter;
import io.redrive.events.NamePattern;
import io.redrive.events.OperatorAction;
import io.redrive.events.OperatorCommand;
import io.redrive.events.PayloadField;
import io.redrive.events.RedriveRequest;
import io.redrive.events.Scheduled;
import io.redrive.events.Settlement;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * A random use of an event store and its dead letters by several nodes and operators. Each answer, and in the end the
 * whole content of the store, is compared with {@link ExpectedStore}. The seed decides every choice.
 */
final class RandomStoreUse {

    private static final int STEPS = 250;
    private static final int MAX_ROUNDS = 500;
    private static final Duration LONG_LEASE = Duration.ofHours(1);
    private static final int HANDED_OUT_KEPT = 60;
    private static final List<String> NODES = List.of("node-1", "node-2", "node-3");
    private static final List<Reason> REASONS = List.of(Reason.NOT_RETRYABLE, Reason.TIMEOUT, Reason.POISON);
    private static final List<String> ERRORS = List.of("IOException", "SQLException");
    private final StoreDriver on;
    private final SplittableRandom random;
    private final ExpectedLetters letters = new ExpectedLetters();
    private final boolean claimsExactly;
    private final ExpectedStore expected;
    private final List<EventStore> stores;
    private final StoreUnderTest under;
    private final RandomEvents events;
    private final List<Claim> handedOut = new ArrayList<>();
    private final List<String> batches = new ArrayList<>();
    private final Map<String, Long> actions = new HashMap<>();
    /** An export made some time ago. */
    private List<DeadLetter> export = List.of();

    private int commands;

    /**
     * A use of this store.
     *
     * @param claimsExactly as {@link StoreRandomContract#claimsExactly()} says
     */
    RandomStoreUse(long seed, StoreUnderTest under, boolean claimsExactly) {
        random = new SplittableRandom(seed);
        this.under = under;
        on = under.open();
        stores = new ArrayList<>(List.of(on.store(), under.joined(on)));
        this.claimsExactly = claimsExactly;
        events = new RandomEvents(random, on.time());
        expected = new ExpectedStore(letters, claimsExactly);
    }

    void run() {
        for (int i = 0; i < STEPS; i++) {
            step();
            expected.checkStats(store().stats(now()), now());
        }
        checkWhole();
    }

    private void step() {
        int dice = random.nextInt(100);
        if (dice < 15) {
            publish();
        } else if (dice < 55) {
            exchange();
        } else if (dice < 57) {
            cancel();
        } else if (dice < 68) {
            pass();
        } else if (dice < 74) {
            extend();
        } else if (dice < 82) {
            recover();
        } else if (dice < 98) {
            operate();
        } else if (dice < 99) {
            expire();
        } else {
            stores.set(random.nextInt(stores.size()), under.reopened(on));
        }
    }

    private void operate() {
        switch (random.nextInt(7)) {
            case 0, 1 -> redrive();
            case 2 -> edit();
            case 3 -> purge();
            case 4 -> export = store().deadLetters().listWithHistory(randomFilter(), 0, DeadLetters.MAX_PAGE);
            case 5 -> importLetters();
            default -> letters.check(store().deadLetters(), randomFilter());
        }
    }

    private void publish() {
        List<Event> offered = Stream.generate(() -> events.next(expected::isSureOf))
                .limit(1 + random.nextInt(5))
                .toList();
        assertThat(store().publish(offered, now()))
                .as("results of publishing %s", offered)
                .isEqualTo(expected.publish(offered, now()));
    }

    private void cancel() {
        if (!events.published().isEmpty()) {
            EventKey key = any(events.published());
            String correlationId = key.correlationId().isEmpty() ? null : key.correlationId();
            assertThat(store().cancel(key.id(), correlationId, now()))
                    .as("%s is cancelled", key)
                    .isEqualTo(expected.cancel(key));
        }
        assertThat(store().scheduled(Scheduled.Filter.ALL, StoreDriver.MANY, now()).stream()
                        .map(Scheduled::event))
                .as("scheduled events")
                .isEqualTo(expected.scheduled(now()));
    }

    /** Settles, claims, or both in one call. */
    private void exchange() {
        List<Settlement> settlements = new ArrayList<>();
        if (!handedOut.isEmpty() && random.nextInt(3) > 0) {
            int count = 1 + random.nextInt(5);
            for (int i = 0; i < count; i++) {
                settlements.add(settlement(claimToSettle()));
            }
        }
        List<ClaimRequest> requests = new ArrayList<>();
        int count = random.nextInt(claimsExactly ? 3 : 2);
        for (int i = 0; i < count; i++) {
            requests.add(new ClaimRequest(
                    any(NODES),
                    any(List.of(Lane.values())),
                    1 + random.nextInt(6),
                    random.nextInt(4) == 0,
                    any(List.of(StoreDriver.LEASE, Duration.ofMinutes(2))),
                    now(),
                    randomNames()));
        }
        exchange(settlements, requests);
    }

    private ClaimFilter randomNames() {
        return switch (random.nextInt(9)) {
            case 2 -> ClaimFilter.ALL.without(List.of(new NamePattern("order.*")));
            case 0 -> ClaimFilter.of(List.of(new NamePattern("order.*")));
            case 1 -> ClaimFilter.ALL.without(List.of(new NamePattern(any(RandomEvents.NAMES))));
            default -> ClaimFilter.ALL;
        };
    }

    private Exchange exchange(List<Settlement> settlements, List<ClaimRequest> requests) {
        Exchange answer = store().exchange(settlements, requests, now());
        assertThat(answer.stale())
                .as("stale claims of %s", settlements)
                .containsExactlyInAnyOrderElementsOf(expected.settle(settlements, now()));
        letters.learnIds(store().deadLetters());
        expected.claimed(requests, answer.claims());
        handedOut.addAll(answer.claims());
        while (handedOut.size() > HANDED_OUT_KEPT) {
            handedOut.remove(0);
        }
        return answer;
    }

    /** Mostly a held claim, sometimes a claim settled or lost long ago. */
    private Claim claimToSettle() {
        List<Claim> held = handedOut.stream().filter(expected::isHeld).toList();
        return held.isEmpty() || random.nextInt(4) == 0 ? any(handedOut) : any(held);
    }

    private Settlement settlement(Claim claim) {
        int dice = random.nextInt(100);
        if (dice < 25) {
            return new Settlement.Done(claim);
        } else if (dice < 60) {
            return on.retryOf(claim, any(RandomEvents.SPANS));
        } else if (dice < 80) {
            return on.deadOf(claim, any(REASONS), any(ERRORS), "message " + random.nextInt(3));
        } else if (dice < 90) {
            return new Settlement.Release(claim);
        }
        return new Settlement.Snooze(claim, now().plus(any(RandomEvents.SPANS)));
    }

    private void pass() {
        boolean toTheEndOfRetention = random.nextInt(25) == 0;
        on.pass(toTheEndOfRetention ? EventStore.DEFAULT_KEY_RETENTION : any(RandomEvents.SPANS));
    }

    private void extend() {
        Set<Long> tokens = new HashSet<>();
        for (Claim claim : handedOut) {
            if (random.nextInt(8) == 0) {
                tokens.add(claim.token());
            }
        }
        store().extend(tokens, StoreDriver.LEASE, now());
        expected.extend(tokens, StoreDriver.LEASE, now());
    }

    private void recover() {
        Set<String> alive = new HashSet<>();
        Set<String> unclear = new HashSet<>();
        for (String node : NODES) {
            switch (random.nextInt(4)) {
                case 0 -> alive.add(node);
                case 1 -> unclear.add(node);
                default -> {}
            }
        }
        recover(new LeaseHolders(alive, unclear));
    }

    private void recover(LeaseHolders holders) {
        assertThat(store().recover(now(), holders))
                .as("events recovered from %s", holders)
                .isEqualTo(expected.recover(now(), holders));
    }

    private void expire() {
        EventStore store = store();
        int forgotten = 0;
        for (int step = store.expire(now()); step > 0; step = store.expire(now())) {
            forgotten += step;
        }
        expected.expired(forgotten, now());
    }

    private void redrive() {
        boolean another = batches.isEmpty() || random.nextInt(3) > 0;
        String batch = another ? "batch-" + batches.size() : any(batches);
        if (another) {
            batches.add(batch);
        }
        RedriveRequest request =
                new RedriveRequest(randomFilter(), 1 + random.nextInt(4), batch, "ann", random.nextInt(3) == 0, now());
        int answer = store().deadLetters().redrive(request);
        List<ExpectedLetters.Kept> chosen = letters.remove(request.filter(), request.limit());
        assertThat(answer).as("letters redriven by %s", request).isEqualTo(chosen.size());
        expected.revive(chosen, request.automatic(), now());
        recorded(request.command(), answer);
    }

    private void edit() {
        List<Long> ids = letters.ids();
        long id = ids.isEmpty() || random.nextInt(5) == 0 ? 1_000_000 : any(ids);
        byte[] payload = ("edited " + random.nextInt(100)).getBytes(StandardCharsets.UTF_8);
        OperatorCommand command = command();
        boolean found = letters.edit(id, payload);
        assertThat(store().deadLetters().edit(id, payload, command, now())).isEqualTo(found);
        recorded(command, found ? 1 : 0);
    }

    private void purge() {
        LetterFilter filter = randomFilter();
        int limit = 1 + random.nextInt(4);
        OperatorCommand command = command();
        int purged = store().deadLetters().purge(filter, limit, command, now());
        List<ExpectedLetters.Kept> chosen = letters.remove(filter, limit);
        assertThat(purged).as("letters purged by %s", filter).isEqualTo(chosen.size());
        chosen.forEach(kept -> expected.forgetKey(kept.key(), kept.publication()));
        letters.check(store().deadLetters(), LetterFilter.ALL);
        recorded(command, purged);
    }

    /** Imports an old export, whose letters may still exist, have been redriven or purged; perhaps one letter twice. */
    private void importLetters() {
        List<DeadLetter> imported = new ArrayList<>(export);
        if (!export.isEmpty() && random.nextBoolean()) {
            imported.add(any(export));
        }
        OperatorCommand command = command();
        int taken = store().deadLetters().importLetters(imported, command, now());
        assertThat(taken).as("letters imported").isEqualTo(letters.importLetters(imported));
        letters.learnIds(store().deadLetters());
        recorded(command, taken);
    }

    private OperatorCommand command() {
        return new OperatorCommand("command-" + commands++, "ann", "", "");
    }

    private void recorded(OperatorCommand command, int changed) {
        if (changed > 0) {
            actions.merge(command.id(), (long) changed, Long::sum);
        }
    }

    private LetterFilter randomFilter() {
        List<Long> ids = letters.ids();
        return switch (random.nextInt(10)) {
            case 0 -> LetterFilter.ALL.withName("order.*");
            case 1 -> LetterFilter.ALL.withName(any(RandomEvents.NAMES)).withErrorType(any(ERRORS));
            case 2 -> LetterFilter.ALL.withReason(any(REASONS));
            case 3 -> LetterFilter.ALL.withTime(now().minusSeconds(60), null);
            case 4 -> LetterFilter.ALL.withTime(null, now().minusSeconds(10));
            case 5 -> LetterFilter.ALL.withFewerAutomaticRedrivesThan(1);
            case 6 -> ids.isEmpty() ? LetterFilter.ALL : LetterFilter.ofIds(List.of(any(ids), any(ids) + 1));
            case 7 -> LetterFilter.ALL.withText("message 1");
            case 8 -> LetterFilter.ALL.withPayload(PayloadField.parse("/n=1"));
            default -> LetterFilter.ALL;
        };
    }

    /** Lets every remaining event die, so that the letters show all data of the store. */
    private void checkWhole() {
        on.pass(Duration.ofHours(1));
        recover(LeaseHolders.ALL_GONE);
        for (int round = 0; !expected.isEmpty(); round++) {
            assertThat(round).as("rounds to claim every event that is left").isLessThan(MAX_ROUNDS);
            for (Lane lane : Lane.values()) {
                ClaimRequest all = new ClaimRequest("node-1", lane, StoreDriver.MANY, false, LONG_LEASE, now());
                List<Settlement> dead = exchange(List.of(), List.of(all)).claims().stream()
                        .<Settlement>map(on::deadOf)
                        .toList();
                exchange(dead, List.of());
            }
            on.pass(Duration.ofSeconds(1));
        }
        expected.checkStats(store().stats(now()), now());
        letters.check(store().deadLetters(), LetterFilter.ALL);
        Map<String, Long> recorded = new HashMap<>();
        for (OperatorAction action : store().deadLetters().actions(DeadLetters.MAX_PAGE)) {
            recorded.put(action.command().id(), action.letters());
        }
        assertThat(recorded).as("letters changed, by command").isEqualTo(actions);
    }

    private EventStore store() {
        return any(stores);
    }

    private Instant now() {
        return on.time().now();
    }

    private <T> T any(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }
}
