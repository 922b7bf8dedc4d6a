package io.redrive.pipeline;

import io.redrive.core.Reason;
import io.redrive.events.AttemptRecord;
import io.redrive.events.Attempts;
import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.ImmediateClaim;
import io.redrive.events.Lane;
import io.redrive.events.LeaseHolders;
import io.redrive.events.LetterFilter;
import io.redrive.events.OperatorAction;
import io.redrive.events.OperatorCommand;
import io.redrive.events.PublishResult;
import io.redrive.events.PublishedEvents;
import io.redrive.events.RedriveRequest;
import io.redrive.events.Settlement;
import io.redrive.events.StoreStats;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * The store of the contract, slow and simple. The model hears of every call with an effect, works out the right answer,
 * and compares. The model never asks the store.
 */
final class StoreModel {

    enum State {
        READY,
        CLAIMED,
        DONE,
        DEAD,
        PURGED
    }

    /** One life of an event: a redrive begins another. */
    static final class Row {
        Event event;
        long sequence;
        State state = State.READY;
        Instant due;
        Attempts attempts = Attempts.NONE;
        Instant firstClaimed;
        Duration lastDelay = Duration.ZERO;
        long token;
        Instant leaseEnd;
        /** The node that holds the claim; null when the answer to the claim got lost. */
        SimulatedNode holder;

        /** The holder of the lease and its process. */
        String claimedBy;

        SimulatedNode claimer;
        long claimedAtNanos;
        /** True once another claim of the same process, which is gone, was recovered. */
        boolean hadNeighbours;

        int redrives;
        final List<AttemptRecord> history = new ArrayList<>();
        Reason reason;
        int snoozes;
        int claims;
        int handled;
        int successes;

        private boolean isSuspect() {
            return attempts.crashed() > 2;
        }

        private String key() {
            return event.orderingKey().orElse(null);
        }

        @Override
        public String toString() {
            return event + " " + state + " " + attempts;
        }
    }

    private final EventStore store;
    private final Map<String, Row> rows = new LinkedHashMap<>();
    /** Ready and claimed, in the order of publishing. */
    private final TreeMap<Long, Row> open = new TreeMap<>();

    private final List<OperatorAction> actions = new ArrayList<>();
    final RedriveModel redrives;
    private long sequence;
    private long lastToken;

    StoreModel(EventStore store) {
        this.store = store;
        redrives = new RedriveModel(this, store);
    }

    static void check(boolean holds, String rule, Object... details) {
        if (!holds) {
            throw new AssertionError(rule + ": " + Arrays.deepToString(details));
        }
    }

    Collection<Row> rows() {
        return rows.values();
    }

    Collection<Row> open() {
        return open.values();
    }

    Row row(Event event) {
        Row row = rows.get(event.id());
        check(row != null, "an event that was never accepted", event);
        return row;
    }

    void published(List<Event> events, List<PublishResult> results) {
        check(events.size() == results.size(), "one result for each event", events, results);
        for (int i = 0; i < events.size(); i++) {
            Event event = events.get(i);
            Row known = rows.get(event.id());
            boolean isNew = known == null || known.state == State.PURGED;
            check(results.get(i).isDuplicate() != isNew, "a duplicate is told from a new event", event, results.get(i));
            check(
                    results.get(i).letter().isPresent() == (!isNew && known.state == State.DEAD),
                    "a duplicate of a letter is told so",
                    event,
                    results.get(i));
            if (isNew) {
                Row row = new Row();
                row.event = event;
                row.due = event.due();
                rows.put(event.id(), row);
                begin(row);
            }
        }
    }

    void claimed(ClaimRequest request, List<Claim> answer, SimulatedNode holder) {
        Instant now = micros(request.now());
        List<Row> expected = claimable(request, micros(request.dueBy()));
        check(
                expected.stream()
                        .map(row -> row.event.id())
                        .toList()
                        .equals(answer.stream().map(claim -> claim.event().id()).toList()),
                "a claim hands out what is due, most urgent and oldest first, one of a key, up to the demand",
                request,
                expected,
                answer);
        checkTokens(answer);
        answer.forEach(claim -> hold(claim, request.node(), now.plus(request.lease()), now, holder));
    }

    /** Events were claimed by the call that published them. */
    void claimedAtOnce(
            List<Event> events, ImmediateClaim request, PublishedEvents answer, SimulatedNode holder, Instant at) {
        Instant now = micros(at);
        List<Event> expected = new ArrayList<>();
        for (int i = 0; i < events.size(); i++) {
            if (request.includes(i, events.get(i), now)
                    && !answer.results().get(i).isDuplicate()) {
                expected.add(events.get(i));
            }
        }
        check(
                expected.equals(answer.claims().stream().map(Claim::event).toList()),
                "new events that can be claimed at once are claimed",
                expected,
                answer);
        checkTokens(answer.claims());
        answer.claims().forEach(claim -> hold(claim, request.node(), now.plus(request.lease()), now, holder));
    }

    private void hold(Claim claim, String node, Instant leaseEnd, Instant now, SimulatedNode holder) {
        Row row = row(claim.event());
        row.firstClaimed = row.firstClaimed == null ? now : row.firstClaimed;
        check(claim.event().equals(row.event), "the event is as it was published, or edited", claim);
        check(claim.attempts().equals(row.attempts), "a claim carries the attempts so far", claim, row);
        check(claim.firstClaimed().equals(row.firstClaimed), "a claim knows when it all began", claim, row);
        check(claim.lastDelay().equals(row.lastDelay), "a claim knows the wait before it", claim, row.lastDelay);
        check(claim.redrives() == row.redrives, "a claim knows its redrives", claim, row.redrives);
        row.state = State.CLAIMED;
        row.token = claim.token();
        row.leaseEnd = leaseEnd;
        row.holder = holder;
        row.claimer = holder;
        row.claimedBy = node;
        row.claimedAtNanos = holder.now();
        row.hadNeighbours = false;
        row.claims++;
    }

    /** All claims of one answer have a token that is new. */
    private void checkTokens(List<Claim> answer) {
        for (Claim claim : answer) {
            check(claim.token() > lastToken, "the token of a claim is new", claim, lastToken);
        }
        answer.forEach(claim -> lastToken = Math.max(lastToken, claim.token()));
    }

    private List<Row> claimable(ClaimRequest request, Instant dueBy) {
        Set<String> keys = new HashSet<>();
        List<Row> found = new ArrayList<>();
        for (Row row : open.values()) {
            boolean first = row.key() == null || keys.add(row.key());
            boolean inLane = row.isSuspect()
                    ? request.lane() == Lane.SUSPECT
                    : row.event.priority().lane() == request.lane();
            boolean accepted = request.filter().accepts(row.event.name());
            if (first && inLane && accepted && row.state == State.READY && !row.due.isAfter(dueBy)) {
                found.add(row);
            }
        }
        Comparator<Row> urgency =
                Comparator.comparingInt(row -> -row.event.priority().ordinal());
        Comparator<Row> order = (request.lowestFirst() ? urgency.reversed() : urgency)
                .thenComparing(row -> row.due)
                .thenComparing(row -> row.sequence);
        found.sort(order);
        return found.subList(0, Math.min(found.size(), request.demand()));
    }

    void settled(List<Settlement> settlements, List<Claim> stale, Instant now) {
        Settling settling = new Settling(micros(now));
        Set<Claim> refused = new HashSet<>(stale);
        for (Settlement settlement : settlements) {
            Claim claim = settlement.claim();
            Row row = row(claim.event());
            boolean holds = row.state == State.CLAIMED && row.token == claim.token();
            check(
                    refused.contains(claim) == !holds,
                    "a settlement counts exactly when its token is current",
                    row,
                    claim);
            if (holds) {
                row.state = State.READY;
                settlement.match(row, settling);
            }
        }
    }

    /** Applies a settlement to the claimed row. */
    private final class Settling implements Settlement.Cases<Row> {

        private final Instant now;

        Settling(Instant now) {
            this.now = now;
        }

        @Override
        public void done(Settlement.Done done, Row row) {
            end(row, State.DONE);
        }

        @Override
        public void retry(Settlement.Retry retry, Row row) {
            row.attempts = row.attempts.plusFailed();
            row.history.add(retry.attempt());
            row.due = micros(retry.due());
            row.lastDelay = retry.delay();
        }

        @Override
        public void dead(Settlement.Dead dead, Row row) {
            row.attempts = row.attempts.plusFailed();
            row.history.add(dead.attempt());
            row.reason = dead.reason();
            end(row, State.DEAD);
        }

        @Override
        public void release(Settlement.Release release, Row row) {
            row.attempts = row.attempts.plusInterrupted();
            row.due = now;
        }

        @Override
        public void snooze(Settlement.Snooze snooze, Row row) {
            row.snoozes++;
            row.due = micros(snooze.due());
        }
    }

    void extended(Collection<Long> tokens, Duration lease, Instant now) {
        for (Row row : open.values()) {
            if (row.state == State.CLAIMED && tokens.contains(row.token)) {
                row.leaseEnd = micros(now).plus(lease);
            }
        }
    }

    void recovered(int answer, LeaseHolders holders, Instant now) {
        List<Row> lost = open.values().stream()
                .filter(row -> row.state == State.CLAIMED && !row.leaseEnd.isAfter(micros(now)))
                .filter(row -> !holders.unclear().contains(row.claimedBy))
                .toList();
        lost.stream().filter(row -> !holders.alive().contains(row.claimedBy)).forEach(this::markNeighbours);
        for (Row row : lost) {
            check(
                    row.holder == null || !row.holder.isHealthySince(row.claimedAtNanos),
                    "the heartbeat keeps the leases of a live node",
                    row);
            boolean lives = holders.alive().contains(row.claimedBy);
            check(
                    lives || !row.claimer.isKnownToLive(),
                    "a crash is counted only where a process died, or was silent for long",
                    row);
            boolean convicts = !row.isSuspect() || !row.hadNeighbours;
            check(
                    lives || !convicts || !row.isSuspect() || row.claimer.heldAtDeath <= 1,
                    "a suspect is convicted only by a crash without neighbours",
                    row,
                    row.claimer.heldAtDeath);
            row.state = State.READY;
            row.attempts = !lives && convicts ? row.attempts.plusCrashed() : row.attempts.plusInterrupted();
            row.due = micros(now);
        }
        check(answer == lost.size(), "recovery takes over what has run out, and nothing else", answer, lost);
    }

    private void markNeighbours(Row lost) {
        List<Row> ofProcess = open.values().stream()
                .filter(row -> row.state == State.CLAIMED && row.claimedBy.equals(lost.claimedBy))
                .toList();
        if (ofProcess.size() > 1) {
            ofProcess.forEach(row -> row.hadNeighbours = true);
        }
    }

    /** Returns the number of claims that a process knows of. */
    int heldBy(SimulatedNode node) {
        return (int) open.values().stream()
                .filter(row -> row.state == State.CLAIMED && row.holder == node)
                .count();
    }

    /** Redrives through the store and checks the result; then redrives again, which must find no letter. */
    int redrive(RedriveRequest request) {
        List<DeadLetter> letters =
                letters().stream().filter(request.filter()::matches).toList();
        letters = letters.subList(0, Math.min(letters.size(), request.limit()));
        int answer = store.deadLetters().redrive(request);
        check(answer == letters.size(), "every letter asked for is redriven", answer, letters);
        letters.forEach(letter -> revive(row(letter.event()), request.now()));
        if (answer > 0) {
            record(request.command().operator(), "redrive", answer);
        }
        check(
                answer == request.limit() || store.deadLetters().redrive(request) == 0,
                "redriving twice equals once",
                request);
        return answer;
    }

    /** The event of a letter is ready again. */
    void revive(Row row, Instant now) {
        row.state = State.READY;
        row.attempts = Attempts.NONE;
        row.firstClaimed = null;
        row.lastDelay = Duration.ZERO;
        row.due = micros(now);
        row.redrives++;
        boolean past = row.event
                .deadline()
                .filter(deadline -> !deadline.isAfter(micros(now)))
                .isPresent();
        row.event = past ? row.event.toBuilder().deadline(null).build() : row.event;
        begin(row);
    }

    /** Returns false for the row of an event that was purged and published again. */
    boolean isCurrent(Row row) {
        return rows.get(row.event.id()) == row;
    }

    void edit(DeadLetter letter, byte[] payload, String operator, Instant now) {
        check(store.deadLetters().edit(letter.id(), payload, operator, now), "a letter can be edited", letter);
        Row row = row(letter.event());
        row.event =
                row.event.toBuilder().payload(payload, row.event.contentType()).build();
        record(operator, "edit", 1);
    }

    void purge(DeadLetter letter, String operator, Instant now) {
        int purged = store.deadLetters().purge(LetterFilter.ofIds(List.of(letter.id())), 10, operator, now);
        check(purged == 1, "one letter is purged", letter, purged);
        row(letter.event()).state = State.PURGED;
        record(operator, "purge", 1);
    }

    /** Returns the index of the new row. */
    int record(String operator, String action, int letters) {
        OperatorAction begun = OperatorAction.begun(OperatorCommand.by(operator), action, Instant.EPOCH);
        actions.add(begun.plus(Map.of("any cause", (long) letters), Instant.EPOCH));
        return actions.size() - 1;
    }

    /** A command changed more letters. */
    void grow(int index, int letters) {
        actions.set(index, actions.get(index).plus(Map.of("any cause", (long) letters), Instant.EPOCH));
    }

    /** Checks that every event is in exactly one place, the place of the model. */
    void compare(Instant now) {
        Instant at = micros(now);
        StoreStats stats = store.stats(now);
        long claimed =
                open.values().stream().filter(row -> row.state == State.CLAIMED).count();
        long delayed = open.values().stream()
                .filter(row -> row.state == State.READY && row.due.isAfter(at))
                .count();
        long dead =
                rows.values().stream().filter(row -> row.state == State.DEAD).count();
        check(stats.claimed() == claimed, "claimed", stats, claimed);
        check(stats.delayed() == delayed, "delayed", stats, delayed);
        check(stats.ready() == open.size() - claimed - delayed, "ready", stats, open.values());
        check(stats.dead() == dead, "dead", stats, dead);
    }

    /** The letters and the record of actions, to the last line of history. */
    void compareLetters() {
        List<DeadLetter> letters = letters();
        for (DeadLetter letter : letters) {
            Row row = row(letter.event());
            check(row.state == State.DEAD, "a letter is of a dead event, and there is one for each", row, letter);
            check(letter.event().equals(row.event), "a letter keeps its event", row, letter);
            check(letter.reason() == row.reason, "a letter says why", row.reason, letter);
            check(letter.attempts().equals(row.attempts), "a letter counts attempts", row, letter);
            check(letter.redrives() == row.redrives, "a letter counts redrives", row.redrives, letter);
            check(letter.history().equals(row.history), "a letter keeps the whole history", row.history, letter);
        }
        List<OperatorAction> found = new ArrayList<>(store.deadLetters().actions(1_000));
        Collections.reverse(found);
        check(found.size() == actions.size(), "each action of an operator is recorded once", actions, found);
        for (int i = 0; i < found.size(); i++) {
            OperatorAction action = actions.get(i);
            check(
                    action.operator().equals(found.get(i).operator())
                            && action.action().equals(found.get(i).action())
                            && action.letters() == found.get(i).letters(),
                    "an action is recorded as it was",
                    action,
                    found.get(i));
        }
    }

    List<DeadLetter> letters() {
        return store.deadLetters().list(LetterFilter.ALL, 0, 1_000).stream()
                .map(letter -> store.deadLetters().find(letter.id()).orElseThrow())
                .toList();
    }

    private void begin(Row row) {
        row.sequence = ++sequence;
        open.put(row.sequence, row);
    }

    private void end(Row row, State state) {
        check(Objects.equals(open.remove(row.sequence), row), "an event ends once", row);
        row.state = state;
        redrives.ended(row, state);
    }

    /** Returns true when all earlier events of its key have ended. */
    boolean isFirstOfItsKey(Row row) {
        return row.key() == null
                || open.headMap(row.sequence).values().stream()
                        .noneMatch(earlier -> row.key().equals(earlier.key()));
    }

    static Instant micros(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MICROS);
    }
}
