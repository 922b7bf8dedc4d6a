package io.redrive.pipeline;

import io.redrive.core.AdaptiveLimit;
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
        record Single(NamePattern pattern, ContextHandler handler, Optional<AdaptiveLimit> limit)
                implements Registration {

            /** A handler without a limit of its own. */
            Single(NamePattern pattern, ContextHandler handler) {
                this(pattern, handler, Optional.empty());
            }

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

    /** Limits the calls of the pattern's handler, which takes single events. */
    void limit(String pattern, AdaptiveLimit limit) {
        NamePattern name = new NamePattern(pattern);
        if (byPattern.get(name) instanceof Registration.Single single) {
            if (single.limit().isPresent()) {
                throw new IllegalArgumentException(
                        "pattern '" + pattern + "' has an adaptive limit already; set one limit per pattern");
            }
            byPattern.put(name, new Registration.Single(name, single.handler(), Optional.of(limit)));
            return;
        }
        throw new IllegalArgumentException("an adaptive limit needs a handler of single events, and pattern '" + pattern
                + "' has " + (byPattern.containsKey(name) ? "a handler of batches" : "no handler") + " (registered: "
                + String.join(", ", described()) + "); register the handler with on(\"" + pattern
                + "\", …) before its limit");
    }

    /** Returns the handlers with an adaptive limit. */
    List<Registration.Single> limited() {
        return byPattern.values().stream()
                .filter(Registration.Single.class::isInstance)
                .map(Registration.Single.class::cast)
                .filter(single -> single.limit().isPresent())
                .toList();
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
