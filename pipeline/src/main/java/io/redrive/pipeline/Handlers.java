package io.redrive.pipeline;

import io.redrive.events.Claim;
import io.redrive.events.Event;
import io.redrive.events.NamePattern;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Handlers by name pattern; the most specific pattern wins. Immutable once the pipeline is built. */
final class Handlers {

    /** A registered handler: for single events or for batches. */
    sealed interface Registration {
        record Single(NamePattern pattern, ContextHandler handler) implements Registration {
            /** Calls the handler. A null outcome, which is neither done nor failed, is an exception. */
            Outcome handle(Claim claim) throws Exception {
                Outcome outcome = handler.handle(claim.event(), EventContext.of(claim));
                if (outcome == null) {
                    throw new IllegalStateException("the handler for '" + pattern.text()
                            + "' must return an Outcome, got null; return Outcome.done() when the event is handled");
                }
                return outcome;
            }
        }

        record Batched(NamePattern pattern, BatchHandler handler) implements Registration {}
    }

    private final SortedMap<NamePattern, Registration> byPattern = new TreeMap<>(NamePattern.MOST_SPECIFIC_FIRST);

    void single(String pattern, ContextHandler handler) {
        NamePattern name = new NamePattern(pattern);
        add(name, new Registration.Single(name, handler));
    }

    void batched(String pattern, BatchHandler handler) {
        NamePattern name = new NamePattern(pattern);
        add(name, new Registration.Batched(name, handler));
    }

    Optional<Registration> find(Event event) {
        for (Map.Entry<NamePattern, Registration> entry : byPattern.entrySet()) {
            if (entry.getKey().matches(event.name())) {
                return Optional.of(entry.getValue());
            }
        }
        return Optional.empty();
    }

    /** Returns the patterns as readable text, most specific first. */
    List<String> described() {
        return byPattern.entrySet().stream()
                .map(entry ->
                        entry.getKey().text() + (entry.getValue() instanceof Registration.Batched ? " (batches)" : ""))
                .toList();
    }

    /** Returns the patterns that have a handler, most specific first. */
    Set<NamePattern> patterns() {
        return Collections.unmodifiableSet(byPattern.keySet());
    }

    private void add(NamePattern pattern, Registration registration) {
        if (byPattern.putIfAbsent(pattern, registration) != null) {
            throw new IllegalArgumentException(
                    "pattern '" + pattern + "' has a handler already; register one handler per pattern");
        }
    }
}
