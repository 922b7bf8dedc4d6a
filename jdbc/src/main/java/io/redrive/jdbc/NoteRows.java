package io.redrive.jdbc;

import io.redrive.events.SharedNotes.Note;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The table of shared notes, for both dialects, which differ only in how a changed note gets its version. */
final class NoteRows {

    private static final String READ = "SELECT topic, name, value, version FROM redrive.notes ORDER BY topic, name";

    private static final String ADD =
            "INSERT INTO redrive.notes (topic, name, value) VALUES (?, ?, ?) ON CONFLICT (topic, name) DO NOTHING";

    private static final String ERASE = "DELETE FROM redrive.notes WHERE topic = ? AND name = ? AND version = ?";

    private NoteRows() {}

    static List<Note> read(SqlSession session) throws SQLException {
        List<Note> notes = new ArrayList<>();
        try (ResultSet row = session.prepare(READ).executeQuery()) {
            while (row.next()) {
                notes.add(new Note(row.getString(1), row.getString(2), row.getString(3), row.getLong(4)));
            }
        }
        return notes;
    }

    /** Returns false when a note of this topic and name exists. */
    static boolean add(SqlSession session, Note note) throws SQLException {
        PreparedStatement add = session.prepare(ADD);
        add.setString(1, note.topic());
        add.setString(2, note.name());
        add.setString(3, note.value());
        return add.executeUpdate() == 1;
    }

    /** Returns false when the note has another version. */
    static boolean erase(SqlSession session, Note note) throws SQLException {
        PreparedStatement erase = session.prepare(ERASE);
        erase.setString(1, note.topic());
        erase.setString(2, note.name());
        erase.setLong(3, note.version());
        return erase.executeUpdate() == 1;
    }
}
