package io.redrive.pipeline;

import io.redrive.events.SharedNotes;
import io.redrive.events.SharedNotes.Note;
import io.redrive.events.flow.FlowReport;
import io.redrive.events.flow.TopicReport;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Notes the flow of this node, as often as the node announces itself, so that any process on the store can show the flow. A node
 * without a flow only removes old notes.
 *
 * <p>Names of events that earlier reports of the group have seen are kept: after a restart, a topic without new records would have no
 * name, and its letters would not be found. For the same reason the last node of a group leaves its note behind when it stops.
 */
final class FlowNotes extends BeatNotes {

    static final String TOPIC = "flow";

    private static final Duration FORGOTTEN_AFTER = Duration.ofHours(1);
    private static final Duration FORGOTTEN_AFTER_THE_GROUP = Duration.ofDays(30);

    private final String node;
    private final Supplier<Optional<FlowReport>> flow;
    private Optional<NodeFlow> last = Optional.empty();

    FlowNotes(String node, Supplier<Optional<FlowReport>> flow) {
        super(TOPIC);
        this.node = node;
        this.flow = flow;
    }

    @Override
    void beat(Map<String, Note> found, SharedNotes notes, Instant now) {
        List<NodeFlow> known = found.values().stream()
                .map(note -> FlowText.read(note.value()))
                .flatMap(Optional::stream)
                .toList();
        last = flow.get().map(report -> new NodeFlow(node, withNames(report, known), false));
        last.ifPresent(own -> write(own, found.get(noteName(own)), notes));
        eraseForgotten(found.values(), known, notes, now);
    }

    /** A process may have several flows, so the group is part of the name. The name has a fixed length, whatever the texts are. */
    private static String noteName(NodeFlow flow) {
        return UUID.nameUUIDFromBytes((flow.node() + "\0" + flow.report().group()).getBytes(StandardCharsets.UTF_8))
                .toString();
    }

    private static void write(NodeFlow flow, @Nullable Note before, SharedNotes notes) {
        Note note = before == null ? Note.first(TOPIC, noteName(flow), "") : before;
        // When another node of the same name writes first, that note stands.
        notes.write(note.with(FlowText.of(flow)));
    }

    private static FlowReport withNames(FlowReport report, List<NodeFlow> known) {
        List<TopicReport> earlier = known.stream()
                .filter(each -> each.report().group().equals(report.group()))
                .flatMap(each -> each.report().topics().stream())
                .toList();
        return new FlowReport(
                report.group(),
                report.sources(),
                report.at(),
                report.brake(),
                report.topics().stream().map(topic -> withNames(topic, earlier)).toList(),
                report.partitions(),
                report.leftOut());
    }

    private static TopicReport withNames(TopicReport topic, List<TopicReport> earlier) {
        Set<String> names = new LinkedHashSet<>(topic.names());
        boolean more = topic.hasMoreNames();
        for (TopicReport each : earlier) {
            if (each.topic().equals(topic.topic())) {
                names.addAll(each.names());
                more |= each.hasMoreNames();
            }
        }
        return new TopicReport(
                topic.topic(),
                topic.partitions(),
                topic.lag(),
                topic.open(),
                topic.held(),
                topic.blockedKeys(),
                topic.paused(),
                names.stream().limit(TopicReport.MAX_NAMES).toList(),
                more || names.size() > TopicReport.MAX_NAMES);
    }

    private static void eraseForgotten(Collection<Note> found, List<NodeFlow> known, SharedNotes notes, Instant now) {
        for (Note note : found) {
            boolean isForgotten = FlowText.read(note.value())
                    .map(flow -> flow.report()
                            .at()
                            .plus(
                                    hasRunningNode(flow.report().group(), known, now, each -> true)
                                            ? FORGOTTEN_AFTER
                                            : FORGOTTEN_AFTER_THE_GROUP)
                            .isBefore(now))
                    .orElse(true);
            if (isForgotten) {
                notes.erase(note);
            }
        }
    }

    private static boolean hasRunningNode(String group, List<NodeFlow> known, Instant now, Predicate<NodeFlow> filter) {
        return known.stream()
                .filter(filter)
                .anyMatch(each -> each.report().group().equals(group) && each.isCurrent(now));
    }

    @Override
    public void leave(SharedNotes notes) {
        last.ifPresent(own -> leave(own, notes));
    }

    private static void leave(NodeFlow own, SharedNotes notes) {
        boolean isLast = !hasRunningNode(
                own.report().group(),
                NodeFlow.of(notes),
                own.report().at(),
                each -> !each.node().equals(own.node()));
        for (Note note : notes.read()) {
            if (note.topic().equals(TOPIC) && note.name().equals(noteName(own))) {
                if (isLast) {
                    write(stopped(own), note, notes);
                } else {
                    notes.erase(note);
                }
            }
        }
    }

    /** Returns the flow without partitions, for its names. */
    private static NodeFlow stopped(NodeFlow flow) {
        FlowReport report = flow.report();
        return new NodeFlow(
                flow.node(),
                new FlowReport(
                        report.group(),
                        report.sources(),
                        report.at(),
                        new FlowReport.Brake(
                                false, report.brake().rows(), report.brake().maxWaiting()),
                        report.topics().stream()
                                .map(topic ->
                                        TopicReport.of(topic.topic(), List.of(), topic.names(), topic.hasMoreNames()))
                                .toList(),
                        List.of(),
                        report.leftOut()),
                true);
    }
}
