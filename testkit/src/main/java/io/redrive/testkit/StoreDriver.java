package io.redrive.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import io.redrive.core.Reason;
import io.redrive.events.AttemptRecord;
import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetters;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.Fingerprint;
import io.redrive.events.Lane;
import io.redrive.events.LetterFilter;
import io.redrive.events.PublishResult;
import io.redrive.events.RedriveRequest;
import io.redrive.events.Settlement;
import io.redrive.events.StoreStats;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** An event store and a clock that stands still, with short methods for the steps of contracts. */
record StoreDriver(EventStore store, ManualTime time, Path dir) {

    static final Duration LEASE = Duration.ofSeconds(30);
    static final String NODE = "node-1";
    static final int MANY = 100;

    StoreDriver on(EventStore other) {
        return new StoreDriver(other, time, dir);
    }

    Event.Builder event(String id) {
        return Event.named("order.paid").id(id).source("shop").time(time);
    }

    List<PublishResult> publish(String... ids) {
        return publish(Arrays.stream(ids).map(id -> event(id).build()).toList());
    }

    List<PublishResult> publish(Event.Builder... events) {
        return publish(Arrays.stream(events).map(Event.Builder::build).toList());
    }

    /** Publishes {@code e0}, {@code e1}, … in one call. */
    void publishMany(int count) {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            events.add(event("e" + i).build());
        }
        publish(events);
    }

    List<PublishResult> publish(List<Event> events) {
        return store.publish(events, time.now());
    }

    /** Claims from the domain lane, where events of normal priority are. */
    List<Claim> claim() {
        return claim(Lane.DOMAIN, MANY);
    }

    List<Claim> claim(Lane lane, int demand) {
        return claim(lane, demand, false);
    }

    List<Claim> claim(Lane lane, int demand, boolean lowestFirst) {
        return store.claim(new ClaimRequest(NODE, lane, demand, lowestFirst, LEASE, time.now()));
    }

    /** Claims the only claimable event, from any lane. */
    Claim claimOne() {
        List<Claim> claims = claimEverything();
        assertThat(claims).hasSize(1);
        return claims.get(0);
    }

    List<Claim> claimEverything() {
        List<Claim> claims = new ArrayList<>();
        for (Lane lane : Lane.values()) {
            claims.addAll(claim(lane, MANY));
        }
        return claims;
    }

    List<Claim> settle(Settlement... settlements) {
        return store.settle(List.of(settlements), time.now());
    }

    void done(Claim claim) {
        assertThat(settle(new Settlement.Done(claim))).isEmpty();
    }

    void retry(Claim claim, Duration delay) {
        assertThat(settle(retryOf(claim, delay))).isEmpty();
    }

    void dead(Claim claim) {
        assertThat(settle(deadOf(claim))).isEmpty();
    }

    /** Claims and settles all events of the domain lane, each page in one call. */
    void settleAll(Function<Claim, Settlement> as) {
        for (List<Claim> claims = claim(); !claims.isEmpty(); claims = claim()) {
            assertThat(store.settle(claims.stream().map(as).toList(), time.now()))
                    .isEmpty();
        }
    }

    Settlement.Retry retryOf(Claim claim, Duration delay) {
        return new Settlement.Retry(
                claim, time.now().plus(delay), delay, attempt(claim, "IOException", "reset", "retry"));
    }

    Settlement.Dead deadOf(Claim claim) {
        return deadOf(claim, Reason.NOT_RETRYABLE, "SQLException", "no such table");
    }

    Settlement.Dead deadOf(Claim claim, Reason reason, String errorType, String message) {
        return new Settlement.Dead(
                claim,
                reason,
                attempt(claim, errorType, message, "dead"),
                Fingerprint.of(errorType, message),
                "shop-service");
    }

    /** One settlement of each kind. */
    List<Settlement> settlementsOf(Claim claim) {
        return List.of(
                new Settlement.Done(claim),
                retryOf(claim, Duration.ofSeconds(1)),
                deadOf(claim),
                new Settlement.Release(claim),
                new Settlement.Snooze(claim, time.now().plusSeconds(1)));
    }

    AttemptRecord attempt(Claim claim, String errorType, String message, String decision) {
        return new AttemptRecord(
                claim.attempts().current(),
                time.now(),
                NODE,
                Duration.ofMillis(5),
                errorType,
                message,
                decision,
                "because");
    }

    /** Publishes an event and lets it die at once. */
    DeadLetter letter(Event.Builder event) {
        return letter(event, Reason.NOT_RETRYABLE, "SQLException", "no such table");
    }

    DeadLetter letter(Event.Builder event, Reason reason, String errorType, String message) {
        Event built = event.build();
        assertThat(publish(List.of(built))).containsExactly(PublishResult.ACCEPTED);
        Claim claim = claimOne();
        assertThat(claim.event()).isEqualTo(built);
        assertThat(settle(deadOf(claim, reason, errorType, message))).isEmpty();
        List<DeadLetter> letters = all();
        return letters().find(letters.get(letters.size() - 1).id()).orElseThrow();
    }

    DeadLetters letters() {
        return store.deadLetters();
    }

    List<DeadLetter> all() {
        return letters().list(LetterFilter.ALL, 0, DeadLetters.MAX_PAGE);
    }

    int redrive(LetterFilter filter) {
        return redrive(filter, MANY, "batch-1");
    }

    int redrive(LetterFilter filter, int limit, String batch) {
        return letters().redrive(new RedriveRequest(filter, limit, batch, "ann", false, time.now()));
    }

    void pass(Duration duration) {
        time.advance(duration);
    }

    StoreStats stats() {
        return store.stats(time.now());
    }

    static List<String> ids(List<Claim> claims) {
        return claims.stream().map(claim -> claim.event().id()).toList();
    }

    static List<String> idsOf(List<DeadLetter> letters) {
        return letters.stream().map(letter -> letter.event().id()).toList();
    }
}
