package io.redrive.server.webhook;

import io.redrive.core.Time;
import io.redrive.events.EventStore;
import io.redrive.events.NamePattern;
import io.redrive.events.OperatorCommand;
import io.redrive.events.SharedNotes;
import io.redrive.events.SharedNotes.Note;
import io.redrive.operations.Verb;
import io.redrive.pipeline.HandPauses;
import io.redrive.pipeline.NamePause;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/**
 * Counts how long destinations fail, on all nodes together, and disables routes. A failing clock is a shared note, written when
 * failures begin, at most once an hour after that, and erased by a success of any node. A disabled route is a pause of the name
 * of its delivery events. Thread-safe.
 */
final class DestinationHealth {

    private static final Logger LOG = System.getLogger(DestinationHealth.class.getPackageName());
    static final String TOPIC = "webhook-failing";
    private static final String OPERATOR = "redrive";
    private static final Duration READ_EVERY = Duration.ofSeconds(10);
    private static final Duration WRITE_EVERY = Duration.ofHours(1);
    private static final int MAX_REASON = 500;
    private static final int TRIES = 5;

    private final EventStore store;
    private final Time time;
    private final Map<String, FailingClock> failing = new ConcurrentHashMap<>();
    private volatile Instant nextRead = Instant.MIN;

    DestinationHealth(EventStore store, Time time) {
        this.store = store;
        this.time = time;
    }

    /** The destination answered with success. */
    void succeeded(Route route) {
        if (!failing.isEmpty() || isReadDue()) {
            read();
            if (failing.remove(route.name()) != null) {
                forget(route.name());
            }
        }
    }

    /** The destination failed. Disables the route when the failures last too long. */
    void failed(Route route) {
        Instant now = time.now();
        read();
        FailingClock before = failing.get(route.name());
        if (before != null
                && before.failed(now).started().equals(before.started())
                && Duration.between(before.last(), now).compareTo(WRITE_EVERY) < 0) {
            return;
        }
        Optional<FailingClock> after = change(route.name(), now);
        if (after.isEmpty()) {
            return;
        }
        failing.put(route.name(), after.get());
        warn(route, before == null ? -1 : before.days(), after.get());
        if (after.get().isOver()
                && disable(
                        route,
                        "failed for " + FailingClock.LIMIT.toDays() + " days, since "
                                + seconds(after.get().started().orElse(now)))) {
            forget(route.name());
        }
    }

    /** Returns the failing clock of a route; empty while the destination works. */
    Optional<FailingClock> clock(String route) {
        read();
        return Optional.ofNullable(failing.get(route));
    }

    /** Starts anew, because an operator enabled the route. */
    void forget(String route) {
        failing.remove(route);
        SharedNotes notes = store.notes();
        find(notes, route).ifPresent(notes::erase);
    }

    /**
     * Pauses the delivery events of a route, until an operator enables the route.
     *
     * @return false when too many names are paused already; the route stays enabled then
     */
    boolean disable(Route route, String why) {
        NamePattern pattern = route.pattern();
        String reason = why.length() > MAX_REASON ? why.substring(0, MAX_REASON) : why;
        try {
            Optional<NamePause.ByHand> before = new HandPauses(store.notes())
                    .pause(new NamePause.ByHand(pattern, OPERATOR, reason, time.now(), Optional.empty()));
            if (before.isEmpty()) {
                LOG.log(
                        Level.ERROR,
                        () -> "route '" + route.name() + "' is disabled: " + reason
                                + "; its events wait until an operator enables the route in the console or with POST /api/v1/routes/"
                                + route.name() + "/enable");
                OperatorCommand command = OperatorCommand.by(OPERATOR).from("server");
                store.deadLetters()
                        .record(command, Verb.DISABLE_ROUTE.code(), route.name() + ": " + reason, time.now());
            }
            return true;
        } catch (IllegalArgumentException tooManyPauses) {
            LOG.log(
                    Level.ERROR,
                    () -> "route '" + route.name() + "' should be disabled (" + reason + ") but stays enabled: "
                            + tooManyPauses.getMessage());
            return false;
        }
    }

    private void warn(Route route, long daysBefore, FailingClock after) {
        if (after.days() > daysBefore && !after.isOver()) {
            LOG.log(
                    Level.WARNING,
                    () -> "destination of route '" + route.name() + "' has failed since "
                            + seconds(after.first()) + "; the route is disabled at "
                            + after.disabledAt()
                                    .map(time -> seconds(time).toString())
                                    .orElse("?")
                            + " unless a delivery succeeds");
        }
    }

    /** Returns a time for a text that people read. */
    private static Instant seconds(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS);
    }

    private Optional<FailingClock> change(String route, Instant now) {
        SharedNotes notes = store.notes();
        UnaryOperator<FailingClock> fail = clock -> clock.failed(now);
        for (int i = 0; i < TRIES; i++) {
            Optional<Note> note = find(notes, route);
            FailingClock after = note.map(each -> fail.apply(FailingClock.parse(each.value())))
                    .orElseGet(() -> FailingClock.firstFailure(now));
            if (notes.write(note.map(each -> each.with(after.text()))
                    .orElseGet(() -> Note.first(TOPIC, route, after.text())))) {
                return Optional.of(after);
            }
        }
        return Optional.empty();
    }

    private static Optional<Note> find(SharedNotes notes, String route) {
        return notes.read().stream()
                .filter(note -> note.topic().equals(TOPIC) && note.name().equals(route))
                .findFirst();
    }

    private boolean isReadDue() {
        Instant now = time.now();
        return !now.isBefore(nextRead);
    }

    private void read() {
        if (!isReadDue()) {
            return;
        }
        nextRead = time.now().plus(READ_EVERY);
        Map<String, FailingClock> found = new ConcurrentHashMap<>();
        store.notes().read().stream()
                .filter(note -> note.topic().equals(TOPIC))
                .forEach(note -> found.put(note.name(), FailingClock.parse(note.value())));
        failing.keySet().retainAll(found.keySet());
        failing.putAll(found);
    }
}
