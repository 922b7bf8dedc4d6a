package io.redrive.operations;

import io.redrive.events.DeadLetters;
import io.redrive.events.EventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.NamePattern;
import io.redrive.events.StoreStats;
import io.redrive.events.flow.FlowReport;
import io.redrive.events.flow.PartitionReport;
import io.redrive.events.flow.TopicReport;
import io.redrive.operations.flow.FlowNode;
import io.redrive.operations.flow.FlowNode.State;
import io.redrive.operations.flow.Flows;
import io.redrive.operations.flow.GroupFlow;
import io.redrive.operations.flow.PartitionFlow;
import io.redrive.operations.flow.TopicFlow;
import io.redrive.pipeline.NamePause;
import io.redrive.pipeline.NodeFlow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Adds the reports of all nodes up, and counts the letters of their topics. */
final class StoredFlows {

    /** The most names whose letters are counted for one answer. */
    static final int MOST_NAMES = 500;

    private final DeadLetters letters;
    private final List<NamePattern> paused;
    private final Instant now;
    private final Map<String, Long> counts = new HashMap<>();

    private StoredFlows(EventStore store, Instant now) {
        letters = store.deadLetters();
        paused = NamePause.of(store.notes(), now).stream()
                .map(NamePause::pattern)
                .toList();
        this.now = now;
    }

    static Flows read(EventStore store, Instant now) {
        List<NodeFlow> all = NodeFlow.of(store.notes());
        if (all.isEmpty()) {
            return new Flows(List.of(), 0);
        }
        StoreStats stats = store.stats(now);
        Map<String, List<NodeFlow>> byGroup = all.stream()
                .collect(Collectors.groupingBy(flow -> flow.report().group(), TreeMap::new, Collectors.toList()));
        StoredFlows flows = new StoredFlows(store, now);
        List<GroupFlow> groups = new ArrayList<>();
        byGroup.forEach((group, nodes) -> groups.add(flows.group(group, nodes)));
        return new Flows(groups, stats.ready() + stats.delayed());
    }

    private GroupFlow group(String group, List<NodeFlow> nodes) {
        List<NodeFlow> running =
                nodes.stream().filter(node -> node.isCurrent(now)).toList();
        Set<String> topics = nodes.stream()
                .flatMap(node -> node.report().topics().stream())
                .map(TopicReport::topic)
                .collect(Collectors.toCollection(TreeSet::new));
        return new GroupFlow(
                group,
                nodes.stream().map(this::node).toList(),
                topics.stream().map(topic -> topic(topic, nodes)).toList(),
                partitions(running));
    }

    private FlowNode node(NodeFlow flow) {
        FlowReport report = flow.report();
        State state = flow.isCurrent(now) ? State.RUNNING : flow.hasStopped() ? State.STOPPED : State.STALE;
        return new FlowNode(
                flow.node(),
                state,
                report.sources(),
                report.at(),
                report.topics().stream().mapToInt(TopicReport::partitions).sum(),
                report.brake(),
                report.leftOut());
    }

    /** Of two nodes with the same partition, which moved a moment ago, the later report counts. */
    private static List<PartitionFlow> partitions(List<NodeFlow> running) {
        Comparator<PartitionReport> byPlace =
                Comparator.comparing(PartitionReport::topic).thenComparing(PartitionReport::partition);
        Map<PartitionReport, PartitionFlow> latest = new TreeMap<>(byPlace);
        running.stream()
                .sorted(Comparator.comparing((NodeFlow flow) -> flow.report().at())
                        .reversed())
                .forEach(flow -> flow.report()
                        .partitions()
                        .forEach(each -> latest.putIfAbsent(each, new PartitionFlow(flow.node(), each))));
        return List.copyOf(latest.values());
    }

    /** Figures are those of running nodes, or else of all nodes. Names are those of all nodes. */
    private TopicFlow topic(String topic, List<NodeFlow> nodes) {
        boolean isCurrent = nodes.stream()
                .anyMatch(node ->
                        node.isCurrent(now) && !reports(topic, List.of(node)).isEmpty());
        List<TopicReport> counted = reports(
                topic,
                nodes.stream().filter(node -> !isCurrent || node.isCurrent(now)).toList());
        Set<String> names = new TreeSet<>();
        boolean more = false;
        for (TopicReport report : reports(topic, nodes)) {
            names.addAll(report.names());
            more |= report.hasMoreNames();
        }
        Map<String, Long> found = new HashMap<>();
        for (String name : names) {
            if (counts.containsKey(name) || counts.size() < MOST_NAMES) {
                found.put(name, letters(name));
            } else {
                more = true;
            }
        }
        return new TopicFlow(
                isCurrent,
                (int) counted.stream().filter(report -> report.partitions() > 0).count(),
                sum(topic, counted, List.copyOf(names), more),
                found,
                paused.stream()
                        .filter(pattern -> names.stream().anyMatch(pattern::matches))
                        .map(NamePattern::text)
                        .toList());
    }

    private long letters(String name) {
        return counts.computeIfAbsent(name, each -> letters.count(LetterFilter.ALL.withName(each)));
    }

    private static List<TopicReport> reports(String topic, List<NodeFlow> nodes) {
        return nodes.stream()
                .flatMap(node -> node.report().topics().stream())
                .filter(report -> report.topic().equals(topic))
                .toList();
    }

    private static TopicReport sum(String topic, List<TopicReport> reports, List<String> names, boolean more) {
        int partitions = 0;
        long lag = 0;
        int open = 0;
        int held = 0;
        int blockedKeys = 0;
        int paused = 0;
        for (TopicReport each : reports) {
            partitions += each.partitions();
            lag += each.lag();
            open += each.open();
            held += each.held();
            blockedKeys += each.blockedKeys();
            paused += each.paused();
        }
        return new TopicReport(topic, partitions, lag, open, held, blockedKeys, paused, names, more);
    }
}
