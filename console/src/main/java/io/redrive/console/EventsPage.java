package io.redrive.console;

import io.redrive.events.StoreStats;
import io.redrive.events.journal.EventQuery;
import io.redrive.events.journal.FinishedEvent;
import io.redrive.operations.EventFinder;
import io.redrive.operations.FoundEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.web.servlet.function.ServerResponse;

/** Finds events in any state by id, correlation id, ordering key or name. */
final class EventsPage {

    static final List<String> STATES = List.of("waiting", "claimed", "dead", "finished");

    private static final int MOST = 200;
    private static final int LATEST = 25;
    private static final int SUGGESTED = 200;

    /**
     * How far back finished events are found.
     *
     * @param since when the oldest remembered event finished; empty for none
     * @param retention how long this process remembers the events that it finishes; zero when its journal is off
     */
    record Reach(Optional<Instant> since, Duration retention) {

        static Reach of(EventFinder finder) {
            return new Reach(finder.rememberedSince(), finder.retention());
        }

        /** Returns true when no finished event is known, and none will be. */
        boolean isOff() {
            return since.isEmpty() && retention.isZero();
        }
    }

    /**
     * A search that was made.
     *
     * @param by the compared texts, in words
     * @param found the events that have the text, in the order of their creation
     * @param shown the events of the chosen state
     * @param chain the shown events on a line of time; without rows unless the events are a chain
     * @param key the ordering key with its order; empty unless the search was for a key
     */
    record Result(String by, List<FoundEvent> found, List<FoundEvent> shown, EventChain chain, Optional<KeyQueue> key) {

        boolean isCut() {
            return found.size() >= MOST;
        }

        long count(String state) {
            return found.stream().filter(event -> event.state().equals(state)).count();
        }
    }

    /**
     * What the page shows before a search.
     *
     * @param stats events by state
     * @param waiting events that wait, soonest due first
     * @param finished events that finished last
     */
    record Start(StoreStats stats, List<FoundEvent> waiting, List<FinishedEvent> finished) {

        String inWords() {
            long waits = stats.ready() + stats.delayed();
            return waits + stats.claimed() == 0
                    ? "No event waits, and none is being handled."
                    : Format.counted(waits, "event") + (waits == 1 ? " waits, " : " wait, ")
                            + Format.number(stats.claimed()) + " being handled.";
        }
    }

    /**
     * The facts of the page.
     *
     * @param text the text to look for; empty for no search
     * @param complaint why the search cannot be made; empty for a usable search
     * @param start the events to show before a search
     * @param result the events with the text
     * @param reach how far back finished events are found
     * @param names event names to suggest
     */
    record View(
            String text,
            String complaint,
            Optional<Start> start,
            Optional<Result> result,
            Reach reach,
            List<String> names) {

        /** Returns the first line of the page. */
        String inWords() {
            return result.map(this::inWords)
                    .orElseGet(() -> start.map(Start::inWords).orElse("Events"));
        }

        private String inWords(Result made) {
            String subject = "the " + made.by() + " '" + Format.brief(text, 80) + "'";
            if (made.found().isEmpty()) {
                return "No event has " + subject + ".";
            }
            if (made.key().flatMap(KeyQueue::blocker).isPresent()) {
                return made.key().get().inWords();
            }
            return (made.isCut() ? "At least " : "")
                    + Format.counted(made.found().size(), "event")
                    + (made.found().size() == 1 ? " has " : " have ") + subject + ".";
        }
    }

    private final Renderer renderer;
    private final RecentActivity recent;

    EventsPage(Renderer renderer, RecentActivity recent) {
        this.renderer = renderer;
        this.recent = recent;
    }

    /** Returns the words of the address for the texts by which events are found. */
    static List<String> choices() {
        return Arrays.stream(EventQuery.By.values())
                .map(by -> by.name().toLowerCase(Locale.ROOT))
                .toList();
    }

    static String words(String choice) {
        return EventQuery.By.valueOf(choice.toUpperCase(Locale.ROOT)).words();
    }

    ServerResponse show(Visit visit) {
        String text = visit.param("q");
        if (text.isEmpty()) {
            return renderer.html(visit, "events", start(visit, "", ""));
        }
        try {
            Result result = search(visit, text);
            return renderer.html(visit, "events", found(visit, text, result));
        } catch (IllegalArgumentException e) {
            View view = start(visit, Format.brief(text, 200), String.valueOf(e.getMessage()));
            return renderer.html(HttpStatus.BAD_REQUEST, visit, "events", view);
        }
    }

    /** Compares the text with ids, then correlation ids, keys and names, until an event is found. */
    private static Result search(Visit visit, String text) {
        List<EventQuery.By> compared = compared(visit.param("by"));
        String state = visit.param("state");
        if (!state.isEmpty() && !STATES.contains(state)) {
            throw new IllegalArgumentException(
                    "state must be one of " + String.join(", ", STATES) + "; got '" + Format.brief(state, 40) + "'");
        }
        for (EventQuery.By by : compared) {
            List<FoundEvent> found = visit.operations().finder().find(new EventQuery(by, text), MOST);
            if (!found.isEmpty()) {
                List<FoundEvent> shown = found.stream()
                        .filter(event -> state.isEmpty() || event.state().equals(state))
                        .toList();
                boolean chain = by == EventQuery.By.CORRELATION;
                return new Result(
                        by.words(),
                        found,
                        shown,
                        EventChain.of(chain ? shown : List.of(), visit.now()),
                        by == EventQuery.By.KEY ? Optional.of(KeyQueue.of(text, found)) : Optional.empty());
            }
        }
        String words = String.join(
                        ", ", compared.stream().map(EventQuery.By::words).toList())
                .replaceAll(", ([^,]+)$", " or $1");
        return new Result(words, List.of(), List.of(), EventChain.of(List.of(), visit.now()), Optional.empty());
    }

    private static List<EventQuery.By> compared(String by) {
        if (by.isEmpty()) {
            return List.of(EventQuery.By.values());
        }
        return Arrays.stream(EventQuery.By.values())
                .filter(each -> each.name().equalsIgnoreCase(by))
                .findFirst()
                .map(List::of)
                .orElseThrow(() -> new IllegalArgumentException(
                        "by must be one of " + String.join(", ", choices()) + "; got '" + Format.brief(by, 40) + "'"));
    }

    private View found(Visit visit, String text, Result result) {
        return new View(
                text,
                "",
                Optional.empty(),
                Optional.of(result),
                Reach.of(visit.operations().finder()),
                names(visit));
    }

    private View start(Visit visit, String text, String complaint) {
        EventFinder finder = visit.operations().finder();
        Start start = new Start(
                visit.operations().events().stats(),
                finder.waiting(LATEST),
                finder.latest(visit.now().minus(Duration.ofDays(1)), LATEST));
        return new View(text, complaint, Optional.of(start), Optional.empty(), Reach.of(finder), names(visit));
    }

    private List<String> names(Visit visit) {
        return recent.names(visit.operations().activity(), visit.now()).stream()
                .limit(SUGGESTED)
                .sorted()
                .toList();
    }
}
