package io.redrive.kafka;

import io.redrive.events.flow.TopicReport;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The names of events that the records of each topic had. Written by the thread of the intake alone; read by any thread. */
final class TopicNames {

    private final Map<String, Set<String>> byTopic = new ConcurrentHashMap<>();
    private String lastTopic = "";
    private String lastName = "";

    /** Nearly all records have the topic and the name of the record before. */
    void saw(String topic, String name) {
        if (name.equals(lastName) && topic.equals(lastTopic)) {
            return;
        }
        lastTopic = topic;
        lastName = name;
        Set<String> names = byTopic.computeIfAbsent(topic, unused -> ConcurrentHashMap.newKeySet());
        // One name above the limit tells that there are more.
        if (names.size() <= TopicReport.MAX_NAMES) {
            names.add(name);
        }
    }

    List<String> of(String topic) {
        return byTopic.getOrDefault(topic, Set.of()).stream()
                .sorted()
                .limit(TopicReport.MAX_NAMES)
                .toList();
    }

    boolean hasMore(String topic) {
        return byTopic.getOrDefault(topic, Set.of()).size() > TopicReport.MAX_NAMES;
    }
}
