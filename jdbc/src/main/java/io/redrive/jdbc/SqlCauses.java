package io.redrive.jdbc;

import io.redrive.events.CauseRules;
import io.redrive.events.Causes;
import io.redrive.events.OperatorCommand;
import io.redrive.events.cause.Care;
import io.redrive.events.cause.Cause;
import io.redrive.events.cause.CauseChange;
import io.redrive.events.cause.CausePlace;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Causes of dead letters in a database of either dialect. */
record SqlCauses(SqlDeadLetters.Transactions transactions) implements Causes {

    @Override
    public List<Cause> latest(CausePlace after, int limit) {
        SqlDeadLetters.requirePage(limit);
        return transactions.read(session -> CauseRows.latest(session, after, limit));
    }

    @Override
    public List<Cause> assigned() {
        return transactions.read(session -> CauseRows.list(session, CauseSql.ASSIGNED));
    }

    @Override
    public List<Cause> decided() {
        return transactions.read(session -> CauseRows.list(session, CauseSql.DECIDED));
    }

    @Override
    public Optional<Cause> find(String fingerprint) {
        return transactions.read(session -> CauseRows.find(session, fingerprint, ""));
    }

    @Override
    public Optional<Cause> change(String fingerprint, CauseChange change, OperatorCommand command, Instant now) {
        return transactions.write(0, session -> {
            Optional<Cause> found = CauseRows.find(session, fingerprint, session.dialect().forUpdate);
            if (found.isEmpty()) {
                return found;
            }
            Cause cause = found.get();
            CauseRules.requireOwn(cause);
            // Sightings have the clock of the store, so a stance has it too.
            Instant at = session.now(now);
            Care care = change.applyTo(cause, at);
            CauseRows.change(session, fingerprint, care);
            OperatorCommand described = command.describing("cause " + fingerprint);
            String outcome = CauseRules.outcome(cause, change, at);
            ActionRows.change(session, described, change.action(), now, row -> row.withOutcome(outcome, now));
            return Optional.of(new Cause(
                    fingerprint,
                    cause.errorType(),
                    cause.example(),
                    cause.firstSeen(),
                    cause.sightings(),
                    care,
                    Optional.empty()));
        });
    }

    @Override
    public int merge(String from, String into, int limit, OperatorCommand command, Instant now) {
        SqlDeadLetters.requirePage(limit);
        return transactions.write(0, session -> {
            // Both causes are locked in the order of their fingerprints, as letters lock them.
            boolean inOrder = from.compareTo(into) < 0;
            String lock = session.dialect().forUpdate;
            Cause first = known(session, inOrder ? from : into, lock);
            Cause second = known(session, inOrder ? into : from, lock);
            Cause source = inOrder ? first : second;
            Cause target = inOrder ? second : first;
            CauseRules.requireMergeable(source, target);
            moveSightings(session, source, target);
            int moved = moveLetters(session, from, into, limit);
            OperatorCommand described = command.describing("cause " + from + " into " + into);
            ActionRows.change(
                    session,
                    described,
                    "merge",
                    now,
                    row -> moved == 0 ? row : row.plus(Map.of(from, (long) moved), now));
            return moved;
        });
    }

    private static Cause known(LetterSession session, String fingerprint, String lock) throws SQLException {
        return CauseRules.requireKnown(fingerprint, CauseRows.find(session, fingerprint, lock));
    }

    private static void moveSightings(LetterSession session, Cause source, Cause target) throws SQLException {
        String from = source.fingerprint();
        String into = target.fingerprint();
        PreparedStatement merge = session.prepare(CauseSql.MERGE);
        merge.setString(1, into);
        merge.setString(2, from);
        merge.setString(3, from);
        merge.executeUpdate();
        PreparedStatement earlier = session.prepare(CauseSql.SEEN_EARLIER);
        earlier.setLong(1, Micros.of(source.firstSeen()));
        earlier.setString(2, into);
        earlier.setLong(3, Micros.of(source.firstSeen()));
        earlier.executeUpdate();
        PreparedStatement move = session.prepare(CauseSql.MOVE_SIGHTINGS);
        move.setString(1, into);
        move.setString(2, from);
        move.executeUpdate();
        PreparedStatement forget = session.prepare(CauseSql.FORGET_SIGHTINGS);
        forget.setString(1, from);
        forget.executeUpdate();
    }

    private static int moveLetters(LetterSession session, String from, String into, int limit) throws SQLException {
        PreparedStatement move = session.prepare(CauseSql.MOVE_LETTERS);
        move.setString(1, into);
        move.setString(2, from);
        move.setInt(3, limit);
        return move.executeUpdate();
    }

    @Override
    public int expire(Instant now) {
        return transactions.write(0, session -> {
            LocalDate oldest =
                    LocalDate.ofInstant(session.now(now), ZoneOffset.UTC).minusDays(Cause.DAYS);
            PreparedStatement sightings = session.prepare(CauseSql.EXPIRE_SIGHTINGS);
            sightings.setLong(1, oldest.toEpochDay() * LatestCauses.SLOTS_PER_DAY);
            return sightings.executeUpdate()
                    + session.prepare(CauseSql.EXPIRE_CAUSES).executeUpdate();
        });
    }
}
