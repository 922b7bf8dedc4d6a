package io.redrive.events;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/** Notes of an {@link InMemoryEventStore}. */
final class InMemoryNotes implements SharedNotes {

    private record Key(String topic, String name) {}

    private final TreeMap<Key, Note> notes =
            new TreeMap<>(Comparator.comparing(Key::topic).thenComparing(Key::name));
    /** Counts over all notes: a note that is erased and written again never gets a version twice. */
    private long lastVersion;

    @Override
    public synchronized List<Note> read() {
        return new ArrayList<>(notes.values());
    }

    @Override
    public synchronized boolean write(Note note) {
        Key key = new Key(note.topic(), note.name());
        if (versionOf(key) != note.version()) {
            return false;
        }
        notes.put(key, new Note(note.topic(), note.name(), note.value(), ++lastVersion));
        return true;
    }

    @Override
    public synchronized boolean erase(Note note) {
        Key key = new Key(note.topic(), note.name());
        if (!notes.containsKey(key) || versionOf(key) != note.version()) {
            return false;
        }
        notes.remove(key);
        return true;
    }

    synchronized void clear() {
        notes.clear();
    }

    private long versionOf(Key key) {
        Note note = notes.get(key);
        return note == null ? 0 : note.version();
    }
}
