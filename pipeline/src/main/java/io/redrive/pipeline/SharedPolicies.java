package io.redrive.pipeline;

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
 * Policies that hold on all nodes of a store, over those each node was started with. They are kept in the store as settings,
 * so that they also hold after a restart. Thread-safe.
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

    /** The policies of this node, under those that are shared. */
    synchronized void own(EventPolicies policies) {
        own = policies;
        use.accept(underShared());
    }

    /**
     * Writes settings for every node; checked first, so that a bad one changes nothing. Settings change only the keys they name
     * among those shared for the pattern: a blank value takes a key back, an empty map the pattern.
     */
    static void share(Map<String, ? extends Map<String, ?>> settings, SharedNotes notes) {
        EventPolicies.defaults().with(settings);
        settings.forEach((pattern, values) -> {
            while (!write(pattern, EventPolicies.texts(values), notes)) {
                // Somebody else wrote at the same moment: the later one stands.
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

    /** Settings that fit other nodes may break a rule here, such as a longest delay below this node's first one. */
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
