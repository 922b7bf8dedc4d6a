package io.redrive.jdbc;

import io.redrive.events.SharedNotes;
import io.redrive.jdbc.SqliteGroupCommitWriter.Sync;
import java.util.List;

/** Shared notes in the file. The row id is the version of a note, so a changed note becomes a new row. */
record SqliteNotes(SqliteGroupCommitWriter writer, SqliteReaders readers) implements SharedNotes {

    @Override
    public List<Note> read() {
        return readers.read(NoteRows::read);
    }

    @Override
    public boolean write(Note note) {
        return writer.write(
                Sync.DURABLE,
                0,
                session -> (note.version() == 0 || NoteRows.erase(session, note)) && NoteRows.add(session, note));
    }

    @Override
    public boolean erase(Note note) {
        return writer.write(Sync.DURABLE, 0, session -> NoteRows.erase(session, note));
    }
}
