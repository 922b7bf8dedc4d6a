package io.redrive.pipeline;

import io.redrive.core.SettingException;
import io.redrive.events.SharedNotes;
import io.redrive.events.SharedNotes.Note;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Policies in force on all nodes of a store: each node's own policies, changed by settings in the shared notes. The
 * settings stay in the store and apply after a restart too. Thread-safe.
 */
final class SharedPolicies implements Sharing.Topic {

    private static final Logger LOG = System.getLogger(SharedPolicies.class.getPackageName());
    private static final String TOPIC = "policy";

    private final Consumer<EventPolicies> use;
    private EventPolicies own;
    private Map<String, Map<String, String>> shared = Map.of();

    SharedPolicies(EventPolicies own, Consumer<EventPolicies> use) {
        this.own = own;
        this.use = use;
    }

    /** Replaces the policies of this node, which shared settings change. */
    synchronized void own(EventPolicies policies) {
        own = policies;
        use.accept(underShared());
    }

    synchronized EventPolicies own() {
        return own;
    }

    /**
     * Writes settings for every node, after checking all of them. Settings change only the keys they name among the
     * keys shared for the pattern: a blank value removes a key, an empty map removes the pattern.
     */
    static void share(Map<String, ? extends Map<String, ?>> settings, SharedNotes notes) {
        EventPolicies.defaults().with(settings);
        settings.forEach((pattern, values) -> EventPolicies.texts(values).forEach((key, value) -> {
            // A note has a line for each setting: a second line would be another setting, or none, on every node.
            if (value.lines().count() > 1) {
                throw SettingException.of("[" + pattern + "]." + key, "must be one line", value);
            }
        }));
        settings.forEach((pattern, values) -> {
            while (!write(pattern, EventPolicies.texts(values), notes)) {
                // Another node wrote at the same moment: write again on top of that note.
            }
        });
    }

    private static boolean write(String pattern, Map<String, String> values, SharedNotes notes) {
        Note found = notes.read().stream()
                .filter(note -> note.topic().equals(TOPIC) && note.name().equals(pattern))
                .findFirst()
                .orElse(null);
        Map<String, String> merged =
                new LinkedHashMap<>(found == null || values.isEmpty() ? Map.of() : settings(found));
        merged.putAll(values);
        merged.values().removeIf(String::isBlank);
        if (merged.isEmpty()) {
            return found == null || notes.erase(found);
        }
        String text = merged.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining("\n"));
        return notes.write(found == null ? Note.first(TOPIC, pattern, text) : found.with(text));
    }

    /** Returns the settings in the notes by pattern. */
    static Map<String, Map<String, String>> read(SharedNotes notes) {
        Map<String, Map<String, String>> settings = new TreeMap<>();
        notes.read().stream()
                .filter(note -> note.topic().equals(TOPIC))
                .forEach(note -> settings.put(note.name(), settings(note)));
        return settings;
    }

    @Override
    public String topic() {
        return TOPIC;
    }

    @Override
    public boolean hasNews() {
        return false;
    }

    @Override
    public synchronized void sync(Map<String, Note> found, SharedNotes notes, Instant now) {
        Map<String, Map<String, String>> settings = new TreeMap<>();
        found.forEach((pattern, note) -> settings.put(pattern, settings(note)));
        if (!settings.equals(shared)) {
            shared = settings;
            use.accept(underShared());
        }
    }

    /**
     * Returns the policies in force. Shared settings may break a rule on this node, such as a longest delay below the
     * node's first delay: then the node keeps its own policies.
     */
    private EventPolicies underShared() {
        try {
            return own.with(shared);
        } catch (IllegalArgumentException e) {
            LOG.log(Level.WARNING, "shared policies do not fit this node, which keeps its own: " + e.getMessage());
            return own;
        }
    }

    private static Map<String, String> settings(Note note) {
        Map<String, String> settings = new LinkedHashMap<>();
        note.value().lines().forEach(line -> {
            int equals = line.indexOf('=');
            settings.put(line.substring(0, equals), line.substring(equals + 1));
        });
        return settings;
    }
}
