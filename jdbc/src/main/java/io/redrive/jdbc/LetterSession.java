package io.redrive.jdbc;

import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.RedriveRequest;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** A transaction that may change dead letters, with the operations that differ between the dialects. */
interface LetterSession extends SqlSession {

    /** Returns new positions for events, ascending, higher than all before. */
    List<Long> nextPositions(int count) throws SQLException;

    /** Returns the keys, as in {@link LetterWrites#key}, of the events that have a letter. */
    Set<List<String>> known(List<Event> events) throws SQLException;

    /** Inserts letters with their history; {@code origins} has the position of each letter. */
    void insert(List<DeadLetter> letters, List<Long> origins) throws SQLException;

    /** Deletes these letters and inserts their events at these positions, with their history and no attempts. */
    void revive(List<Long> ids, List<Long> positions, RedriveRequest request) throws SQLException;

    /** Forgets the published keys of these letters, unless a later publication has the same key. */
    void forgetKeys(List<Long> ids) throws SQLException;

    /** Returns the time of the clock by which letters die: the caller's for SQLite, the server's for PostgreSQL. */
    Instant now(Instant callers) throws SQLException;

    /** Lets one operation start at a time: two starts would not see each other. */
    void lockStarts() throws SQLException;

    /** Lets one import run at a time: two imports of one file would both find a letter missing. */
    void lockImports() throws SQLException;
}
