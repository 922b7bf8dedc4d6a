package io.redrive.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.Lane;
import io.redrive.events.LeaseHolders;
import io.redrive.events.PublishResult;
import io.redrive.events.Settlement;
import io.redrive.events.StoreStats;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The events of a store as its contract describes them, slow and simple: computes each answer from the calls so far,
 * and never asks the store. The letters are in {@link ExpectedLetters}.
 */
final class ExpectedStore {

    /** When a key was published, and in which publication. */
    private record Seen(Instant at, long publication) {}

    private final ExpectedLetters letters;
    private final boolean claimsExactly;
    private final Map<EventKey, Seen> keys = new HashMap<>();
    private final Set<EventKey> unsure = new HashSet<>();
    /** Unfinished events in the order of publishing and redriving. */
    private final List<ExpectedEvent> rows = new ArrayList<>();

    private long lastToken;
    private long publications;

    /**
     * An empty store.
     *
     * @param claimsExactly as {@link StoreRandomContract#claimsExactly()} says
     */
    ExpectedStore(ExpectedLetters letters, boolean claimsExactly) {
        this.letters = letters;
        this.claimsExactly = claimsExactly;
    }

    List<PublishResult> publish(List<Event> events, Instant now) {
        List<PublishResult> results = new ArrayList<>();
        for (Event event : events) {
            EventKey key = EventKey.of(event);
            if (keys.containsKey(key) && !isForgotten(keys.get(key), now)) {
                results.add(letters.duplicate(key));
            } else {
                keys.put(key, new Seen(now, ++publications));
                rows.add(
                        new ExpectedEvent(event, event.due(), ExpectedLetters.Past.firstLife(publications), List.of()));
                results.add(PublishResult.ACCEPTED);
            }
        }
        return results;
    }

    private static boolean isForgotten(Seen seen, Instant now) {
        return !seen.at.plus(EventStore.DEFAULT_KEY_RETENTION).isAfter(now);
    }

    /** Checks how many keys the store forgot. */
    void expired(int forgotten, Instant now) {
        List<EventKey> past = keys.entrySet().stream()
                .filter(key -> isForgotten(key.getValue(), now))
                .map(Map.Entry::getKey)
                .toList();
        long sure = past.stream().filter(key -> !unsure.contains(key)).count();
        assertThat((long) forgotten).as("forgotten keys").isBetween(sure, (long) past.size());
        past.forEach(keys::remove);
        past.forEach(unsure::remove);
    }

    /** Forgets the key of a removed event. When the event was published again, stores may keep the key or forget it. */
    void forgetKey(EventKey key, long publication) {
        Seen seen = keys.get(key);
        if (seen != null && seen.publication == publication) {
            keys.remove(key);
            unsure.remove(key);
        } else if (seen != null) {
            unsure.add(key);
        }
    }

    /** False when the contract leaves open whether the store still knows the key. */
    boolean isSureOf(EventKey key) {
        return !unsure.contains(key);
    }

    /** Returns true when the event was removed: no claim had taken it. */
    boolean cancel(EventKey key) {
        Optional<ExpectedEvent> found = rows.stream()
                .filter(row -> row.isUnbegun() && EventKey.of(row.event).equals(key))
                .findFirst();
        found.ifPresent(row -> {
            rows.remove(row);
            forgetKey(key, row.past.publication());
        });
        return found.isPresent();
    }

    List<Event> scheduled(Instant now) {
        return rows.stream()
                .filter(row -> row.isUnbegun() && row.due.isAfter(now))
                .sorted(Comparator.comparing(row -> row.due))
                .map(row -> row.event)
                .toList();
    }

    /** Checks a store's claims for these requests, and notes them. */
    void claimed(List<ClaimRequest> requests, List<Claim> answer) {
        List<Claim> left = new ArrayList<>(answer);
        for (ClaimRequest request : requests) {
            List<ExpectedEvent> due = claimable(request);
            int most = Math.min(due.size(), request.demand());
            int expected = claimsExactly ? most : Math.min(most, left.size());
            assertThat(left).as("due events of %s: %s", request, due).hasSizeGreaterThanOrEqualTo(expected);
            List<ExpectedEvent> given = new ArrayList<>();
            for (Claim claim : left.subList(0, expected)) {
                ExpectedEvent row = claimedRow(claim, due);
                due.stream()
                        .filter(other -> mustPrecede(other, row, request.lowestFirst()))
                        .findFirst()
                        .ifPresent(first -> {
                            throw new AssertionError(
                                    first.event + " comes before " + row.event + " in claims of " + request);
                        });
                due.remove(row);
                given.add(row);
            }
            for (int i = 0; i < expected; i++) {
                hold(given.get(i), left.get(i), request);
            }
            left.subList(0, expected).forEach(claim -> lastToken = Math.max(lastToken, claim.token()));
            left.subList(0, expected).clear();
        }
        assertThat(left).as("claims beyond the due events").isEmpty();
    }

    private static ExpectedEvent claimedRow(Claim claim, List<ExpectedEvent> due) {
        return due.stream()
                .filter(row -> row.position == 0 ? row.event.equals(claim.event()) : row.position == claim.position())
                .findFirst()
                .orElseThrow(() -> new AssertionError(claim + " was not due"));
    }

    /** Due events accepted by the request, in the order of publishing; sets the rest aside. */
    private List<ExpectedEvent> claimable(ClaimRequest request) {
        List<ExpectedEvent> found = new ArrayList<>();
        for (ExpectedEvent row : firstOfKeys()) {
            if (!row.isClaimed() && isIn(request.lane(), row) && !row.due.isAfter(request.now())) {
                if (request.filter().accepts(row.event.name())) {
                    found.add(row);
                } else {
                    row.wasSetAside = true;
                }
            }
        }
        return found;
    }

    private List<ExpectedEvent> firstOfKeys() {
        Set<String> keysBefore = new HashSet<>();
        return rows.stream()
                .filter(row -> row.event.orderingKey().map(keysBefore::add).orElse(true))
                .toList();
    }

    /** Most urgent first, then oldest due, then in the order of publishing. */
    private boolean mustPrecede(ExpectedEvent one, ExpectedEvent other, boolean lowestFirst) {
        if (!claimsExactly || one == other || one.wasSetAside || other.wasSetAside) {
            return false;
        }
        int urgency = Integer.compare(one.rank(), other.rank());
        if (urgency != 0) {
            return lowestFirst == urgency < 0;
        }
        int age = one.due.compareTo(other.due);
        return age < 0 || age == 0 && rows.indexOf(one) < rows.indexOf(other);
    }

    private static boolean isIn(Lane lane, ExpectedEvent row) {
        return row.attempts.isSuspect()
                ? lane == Lane.SUSPECT
                : lane == row.event.priority().lane();
    }

    private void hold(ExpectedEvent row, Claim claim, ClaimRequest request) {
        row.firstClaimed = row.firstClaimed == null ? request.now() : row.firstClaimed;
        row.position = row.position == 0 ? claim.position() : row.position;
        assertThat(claim.token()).as("the token of a new claim").isGreaterThan(lastToken);
        assertThat(claim)
                .isEqualTo(new Claim(
                        row.event,
                        row.position,
                        claim.token(),
                        row.attempts,
                        row.firstClaimed,
                        row.lastDelay,
                        row.past.redrives()));
        row.token = claim.token();
        row.holder = request.node();
        row.hadNeighbours = false;
        row.leaseEnd = request.now().plus(request.lease());
    }

    boolean isHeld(Claim claim) {
        return rows.stream().anyMatch(row -> row.isHeldBy(claim));
    }

    /** Returns the stale claims. */
    List<Claim> settle(List<Settlement> settlements, Instant now) {
        Settling settling = new Settling(now);
        List<Claim> stale = new ArrayList<>();
        for (Settlement settlement : settlements) {
            Claim claim = settlement.claim();
            rows.stream()
                    .filter(row -> row.isHeldBy(claim))
                    .findFirst()
                    .ifPresentOrElse(row -> settlement.match(row, settling), () -> stale.add(claim));
        }
        return stale;
    }

    /** Applies a settlement to the row of its claim. */
    private final class Settling implements Settlement.Cases<ExpectedEvent> {

        private final Instant now;

        Settling(Instant now) {
            this.now = now;
        }

        @Override
        public void done(Settlement.Done done, ExpectedEvent row) {
            rows.remove(row);
        }

        @Override
        public void retry(Settlement.Retry retry, ExpectedEvent row) {
            row.attempts = row.attempts.plusFailed();
            row.history.add(retry.attempt());
            row.lastDelay = retry.delay();
            row.putBack(retry.due());
        }

        @Override
        public void dead(Settlement.Dead dead, ExpectedEvent row) {
            row.history.add(dead.attempt());
            rows.remove(row);
            letters.died(letter(row, dead, now), row.past);
        }

        @Override
        public void release(Settlement.Release release, ExpectedEvent row) {
            row.attempts = row.attempts.plusInterrupted();
            row.putBack(now);
        }

        @Override
        public void snooze(Settlement.Snooze snooze, ExpectedEvent row) {
            row.putBack(snooze.due());
        }
    }

    private static DeadLetter letter(ExpectedEvent row, Settlement.Dead dead, Instant now) {
        return new DeadLetter(
                0,
                row.event,
                row.past.originalPayload(),
                dead.reason(),
                dead.attempt().errorType(),
                dead.attempt().message(),
                dead.fingerprint(),
                dead.service(),
                row.attempts.plusFailed(),
                row.past.redrives(),
                row.past.automaticRedrives(),
                now,
                row.history);
    }

    void extend(Collection<Long> tokens, Duration lease, Instant now) {
        rows.stream()
                .filter(row -> row.isClaimed() && tokens.contains(row.token))
                .forEach(row -> row.leaseEnd = now.plus(lease));
    }

    int recover(Instant now, LeaseHolders holders) {
        List<ExpectedEvent> expired = rows.stream()
                .filter(row -> row.isClaimed()
                        && !row.leaseEnd.isAfter(now)
                        && !holders.unclear().contains(row.holder))
                .toList();
        for (ExpectedEvent row : expired) {
            List<ExpectedEvent> ofProcess = rows.stream()
                    .filter(other -> other.isClaimed() && other.holder.equals(row.holder))
                    .toList();
            boolean lives = holders.alive().contains(row.holder);
            if (!lives && ofProcess.size() > 1) {
                ofProcess.forEach(each -> each.hadNeighbours = true);
            }
        }
        for (ExpectedEvent row : expired) {
            boolean blameless = holders.alive().contains(row.holder) || row.attempts.isSuspect() && row.hadNeighbours;
            row.attempts = blameless ? row.attempts.plusInterrupted() : row.attempts.plusCrashed();
            row.putBack(now);
        }
        return expired.size();
    }

    /** Makes the letters' events ready, behind all waiting events. */
    void revive(List<ExpectedLetters.Kept> chosen, boolean automatic, Instant now) {
        for (ExpectedLetters.Kept kept : chosen) {
            DeadLetter letter = kept.letter();
            boolean isLate = letter.event()
                    .deadline()
                    .filter(deadline -> !deadline.isAfter(now))
                    .isPresent();
            Event event = isLate ? letter.event().toBuilder().deadline(null).build() : letter.event();
            rows.add(new ExpectedEvent(event, now, kept.nextLife(automatic), letter.history()));
        }
    }

    void checkStats(StoreStats stats, Instant now) {
        long claimed = rows.stream().filter(ExpectedEvent::isClaimed).count();
        List<ExpectedEvent> due = rows.stream()
                .filter(row -> !row.isClaimed() && !row.due.isAfter(now))
                .toList();
        long behindKey = rows.size() - firstOfKeys().size();
        assertThat(List.of(stats.ready(), stats.delayed(), stats.claimed(), stats.dead()))
                .as("ready, delayed, claimed and dead")
                .isEqualTo(List.of((long) due.size(), rows.size() - claimed - due.size(), claimed, letters.count()));
        assertThat(stats.waiting().behindKey())
                .as("events behind another of their key")
                .isBetween(behindKey, claimsExactly ? behindKey : rows.size() - claimed);
        Duration oldest = age(due.stream().map(row -> row.due), now);
        assertThat(stats.oldestReady())
                .as("age of the oldest ready event")
                .isBetween(claimsExactly ? oldest : Duration.ZERO, oldest);
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    private static Duration age(Stream<Instant> times, Instant now) {
        return times.min(Comparator.naturalOrder())
                .map(oldest -> Duration.between(oldest, now))
                .orElse(Duration.ZERO);
    }
}
