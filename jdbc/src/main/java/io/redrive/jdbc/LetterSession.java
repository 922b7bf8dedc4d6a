package io.redrive.jdbc;

import io.redrive.events.Event;
import io.redrive.events.RedriveRequest;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** A transaction that may change dead letters: what each dialect does in its own way. */
interface LetterSession extends SqlSession {

    /** New positions for events, in order, higher than all before. */
    List<Long> nextPositions(int count) throws SQLException;

    /** Which of these events, by {@link LetterWrites#key}, are letters already. */
    Set<List<String>> known(List<Event> events) throws SQLException;

    /** Makes events of these letters, which it deletes: back as if never tried, but for their past. */
    void revive(List<Long> ids, RedriveRequest request) throws SQLException;

    /** Forgets the keys of these letters, unless a later publication has them. */
    void forgetKeys(List<Long> ids) throws SQLException;

    /** One import at a time, so that two of the same file do not both find a letter missing. */
    void lockImports() throws SQLException;
}
