package io.redrive.pipeline;

import io.redrive.events.flow.FlowReport;
import io.redrive.events.flow.PartitionReport;
import io.redrive.events.flow.PauseReason;
import io.redrive.events.flow.TopicReport;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The text of a flow in a note: a line for the flow, a line for each topic, a line for each partition. The text has at most {@link
 * #MOST_TEXT} characters, because each node reads all notes every second. Paused partitions and topics with much lag come first;
 * topics that do not fit are counted, and partitions that do not fit are missing.
 */
final class FlowText {

    /** The most characters of a note: the flow of about 100 partitions. */
    static final int MOST_TEXT = 4_000;

    private static final int MOST_TEXT_OF_TOPICS = 2_500;
    private static final int MOST_TEXT_OF_NAMES = 400;
    private static final int MOST_TEXT_OF_FIELD = 200;
    private static final String FLOW = "flow";
    private static final String TOPIC = "topic";
    private static final String PARTITION = "partition";
    private static final String RUNS = "runs";
    private static final String STOPPED = "stopped";
    private static final String YES = "yes";
    private static final String NO = "no";
    private static final int FLOW_FIELDS = 11;
    private static final int TOPIC_FIELDS = 10;
    private static final int PARTITION_FIELDS = 8;

    private FlowText() {}

    static String of(NodeFlow flow) {
        FlowReport report = flow.report();
        StringBuilder lines = new StringBuilder();
        Map<String, Integer> written = new HashMap<>();
        long lagLeftOut = report.leftOut().lag();
        List<TopicReport> topics = new ArrayList<>(report.topics());
        topics.sort(Comparator.comparing((TopicReport topic) -> topic.paused() == 0)
                .thenComparing(Comparator.comparingLong(TopicReport::lag).reversed())
                .thenComparing(TopicReport::topic));
        for (TopicReport topic : topics) {
            String line = line(topic);
            if (lines.length() + line.length() <= MOST_TEXT_OF_TOPICS) {
                lines.append(line);
                written.put(topic.topic(), written.size());
            } else {
                lagLeftOut += topic.lag();
            }
        }
        int leftOut = report.leftOut().topics() + topics.size() - written.size();
        StringBuilder text = new StringBuilder(line(flow, new FlowReport.LeftOut(leftOut, lagLeftOut))).append(lines);
        appendPartitions(report.partitions(), written, text);
        return text.toString();
    }

    private static void appendPartitions(
            List<PartitionReport> partitions, Map<String, Integer> topics, StringBuilder text) {
        List<PartitionReport> sorted = new ArrayList<>(partitions);
        sorted.sort(Comparator.comparing((PartitionReport each) -> each.pause().isEmpty())
                .thenComparing(Comparator.comparingLong(PartitionReport::lag).reversed())
                .thenComparing(PartitionReport::topic)
                .thenComparing(PartitionReport::partition));
        for (PartitionReport each : sorted) {
            @Nullable Integer topic = topics.get(each.topic());
            String line = topic == null ? "" : line(topic, each);
            if (text.length() + line.length() > MOST_TEXT) {
                return;
            }
            text.append(line);
        }
    }

    private static String line(NodeFlow flow, FlowReport.LeftOut leftOut) {
        FlowReport report = flow.report();
        return line(
                FLOW,
                field(flow.node()),
                field(report.group()),
                field(report.sources()),
                report.at(),
                flow.hasStopped() ? STOPPED : RUNS,
                report.brake().isOn() ? YES : NO,
                report.brake().rows(),
                report.brake().maxWaiting(),
                leftOut.topics(),
                leftOut.lag());
    }

    private static String line(TopicReport topic) {
        StringBuilder names = new StringBuilder();
        boolean more = topic.hasMoreNames();
        for (String name : topic.names()) {
            if (names.length() + name.length() < MOST_TEXT_OF_NAMES) {
                names.append(names.isEmpty() ? "" : " ").append(name);
            } else {
                more = true;
            }
        }
        return line(
                TOPIC,
                topic.topic(),
                topic.partitions(),
                topic.lag(),
                topic.open(),
                topic.held(),
                topic.blockedKeys(),
                topic.paused(),
                more ? YES : NO,
                names);
    }

    private static String line(int topic, PartitionReport each) {
        return line(
                PARTITION,
                topic,
                each.partition(),
                each.lag(),
                each.open(),
                each.held(),
                each.blockedKeys(),
                each.pause().map(PauseReason::code).orElse(NO));
    }

    private static String line(Object... fields) {
        StringBuilder line = new StringBuilder();
        for (Object field : fields) {
            line.append(line.isEmpty() ? "" : "\t").append(field);
        }
        return line.append('\n').toString();
    }

    /** Returns a text of the user in one line, without characters that a store may refuse. */
    private static String field(String text) {
        StringBuilder clean = new StringBuilder();
        text.codePoints()
                .limit(MOST_TEXT_OF_FIELD)
                .map(code ->
                        Character.isISOControl(code) || Character.getType(code) == Character.SURROGATE ? 0xFFFD : code)
                .forEach(clean::appendCodePoint);
        return clean.toString();
    }

    /** Reads the text of a note. Lines of other versions that do not fit are left out; empty without a line for the flow. */
    static Optional<NodeFlow> read(String text) {
        List<String[]> lines = text.lines().map(line -> line.split("\t", -1)).toList();
        List<TopicReport> topics = lines.stream()
                .filter(line -> line[0].equals(TOPIC) && line.length == TOPIC_FIELDS && areNumbers(line, 2, 8))
                .map(FlowText::topic)
                .toList();
        List<PartitionReport> partitions = lines.stream()
                .filter(line -> line[0].equals(PARTITION) && line.length == PARTITION_FIELDS && areNumbers(line, 1, 7))
                .filter(line -> number(line[1]) < topics.size())
                .map(line -> partition(topics.get(number(line[1])).topic(), line))
                .toList();
        return lines.stream()
                .filter(line -> line[0].equals(FLOW) && line.length == FLOW_FIELDS && areNumbers(line, 7, FLOW_FIELDS))
                .findFirst()
                .flatMap(line -> flow(line, topics, partitions));
    }

    private static Optional<NodeFlow> flow(String[] line, List<TopicReport> topics, List<PartitionReport> partitions) {
        try {
            FlowReport report = new FlowReport(
                    line[2],
                    line[3],
                    Instant.parse(line[4]),
                    new FlowReport.Brake(line[6].equals(YES), Long.parseLong(line[7]), Long.parseLong(line[8])),
                    topics,
                    partitions,
                    new FlowReport.LeftOut(number(line[9]), Long.parseLong(line[10])));
            return Optional.of(new NodeFlow(line[1], report, line[5].equals(STOPPED)));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static TopicReport topic(String[] line) {
        return new TopicReport(
                line[1],
                number(line[2]),
                Long.parseLong(line[3]),
                number(line[4]),
                number(line[5]),
                number(line[6]),
                number(line[7]),
                line[9].isEmpty() ? List.of() : List.of(line[9].split(" ")),
                line[8].equals(YES));
    }

    private static PartitionReport partition(String topic, String[] line) {
        return new PartitionReport(
                topic,
                number(line[2]),
                Long.parseLong(line[3]),
                number(line[4]),
                number(line[5]),
                number(line[6]),
                PauseReason.of(line[7]));
    }

    private static boolean areNumbers(String[] line, int from, int to) {
        for (int i = from; i < to; i++) {
            if (!line[i].matches("\\d{1,18}")) {
                return false;
            }
        }
        return true;
    }

    private static int number(String digits) {
        return (int) Math.min(Integer.MAX_VALUE, Long.parseLong(digits));
    }
}
