package io.redrive.micrometer;

import io.redrive.core.Time;
import io.redrive.events.DeadLetters;
import io.redrive.events.LetterFilter;
import io.redrive.events.flow.FlowReport;
import io.redrive.events.flow.TopicReport;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Counts dead letters by topic: stores keep counts by name, and a flow knows the names of its topics. The counts are kept for 5 s. */
final class TopicLetters {

    /** The most names whose letters are counted for one reading of the meters. */
    private static final int MOST_NAMES = 200;

    private static final Logger LOG = System.getLogger(TopicLetters.class.getPackageName());

    private final DeadLetters letters;
    private final Supplier<Optional<FlowReport>> flow;
    private final Time time;
    private Map<String, Long> counts = Map.of();
    private boolean asked;
    private long askedAt;

    TopicLetters(DeadLetters letters, Supplier<Optional<FlowReport>> flow, Time time) {
        this.letters = letters;
        this.flow = flow;
        this.time = time;
    }

    /** Returns the number of letters; not a number while the store fails, and for a topic whose names are not known. */
    synchronized double count(String topic) {
        if (!asked || time.nanos() - askedAt >= CachedStats.KEPT.toNanos()) {
            asked = true;
            askedAt = time.nanos();
            counts = ask();
        }
        Long count = counts.get(topic);
        return count == null ? Double.NaN : count;
    }

    private Map<String, Long> ask() {
        Map<String, Long> byTopic = new HashMap<>();
        Map<String, Long> byName = new HashMap<>();
        try {
            for (TopicReport topic : flow.get().map(FlowReport::topics).orElse(List.of())) {
                if (!topic.names().isEmpty() && byName.size() + topic.names().size() <= MOST_NAMES) {
                    long count = 0;
                    for (String name : topic.names()) {
                        count += byName.computeIfAbsent(name, each -> letters.count(LetterFilter.ALL.withName(each)));
                    }
                    byTopic.put(topic.topic(), count);
                }
            }
            return byTopic;
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "store has no numbers of letters for metrics, which show a gap: " + e.getMessage());
            return Map.of();
        }
    }
}
