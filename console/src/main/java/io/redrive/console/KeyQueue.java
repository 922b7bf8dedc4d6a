package io.redrive.console;

import io.redrive.operations.FoundEvent;
import java.util.List;
import java.util.Optional;

/**
 * The unfinished events of one ordering key: the first event blocks all others until it is done or dead.
 *
 * @param key the ordering key
 * @param blocker the first unfinished event, when other events wait behind it
 * @param behind the events that wait behind the blocker, in their order
 */
record KeyQueue(String key, Optional<FoundEvent> blocker, List<FoundEvent> behind) {

    /** Returns the order of a key's events. */
    static KeyQueue of(String key, List<FoundEvent> events) {
        List<FoundEvent> behind = events.stream()
                .filter(event -> event instanceof FoundEvent.Waits waits
                        && waits.waiting().behind().isPresent())
                .toList();
        Optional<String> first = behind.stream()
                .map(event -> ((FoundEvent.Waits) event).waiting().behind().orElse(""))
                .findFirst();
        Optional<FoundEvent> blocker = first.flatMap(id -> events.stream()
                .filter(EventWords::isUnfinished)
                .filter(event -> event.id().equals(id) && !behind.contains(event))
                .findFirst());
        return new KeyQueue(key, blocker, behind);
    }

    /** Returns the blocking event and the number of waiting events as a sentence. */
    String inWords() {
        return blocker.map(first -> first.name() + " blocks the ordering key '" + Format.brief(key, 60) + "': "
                        + Format.counted(behind.size(), "event") + (behind.size() == 1 ? " waits" : " wait")
                        + " behind it.")
                .orElse("");
    }
}
