package io.redrive.console;

import io.redrive.events.cause.Cause;
import io.redrive.events.cause.Sighting;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/**
 * The letters of a cause along time, beside the versions of the service: bars for the days with letters, each from the day's first
 * letter to its last, and a mark where a version began.
 *
 * @param from the beginning of the first version or letter; the right end is now
 * @param bars the days with letters, the oldest first
 * @param marks the beginnings of versions, the oldest first
 * @param inWords the chart in words, for people who do not see it
 */
record CauseChart(Instant from, List<Bar> bars, List<Mark> marks, String inWords) {

    static final int WIDTH = 600;

    private static final int TALLEST = 52;
    /** A day alone has nothing to be compared with. */
    private static final int ALONE = 16;

    /** The empty part before the first beginning, so that a beginning is seen as one. */
    private static final int MARGIN = 20;

    private static final int NARROWEST = 4;
    private static final int LABEL = 64;
    private static final Duration SHORTEST = Duration.ofMinutes(10);

    /** Returns the height of the ground line below the upper edge. */
    int ground() {
        return 12 + tallest(bars.size());
    }

    private static int tallest(int days) {
        return days == 1 ? ALONE : TALLEST;
    }

    /**
     * The letters of one day.
     *
     * @param x the left end
     * @param width the width
     * @param height the height, in proportion to the letters
     * @param inWords the day and its letters
     */
    record Bar(int x, int width, int height, String inWords) {}

    /**
     * The beginning of a version.
     *
     * @param x the place
     * @param version the version
     * @param low true for a label in the second row, below the label before
     * @param inWords the version and how its beginning is known
     */
    record Mark(int x, String version, boolean low, String inWords) {

        String anchor() {
            return x > WIDTH - LABEL ? "end" : x < LABEL ? "start" : "middle";
        }
    }

    /** Returns the chart of a cause with sightings. */
    static CauseChart of(Cause cause, CauseVersions versions, Instant now) {
        Instant first = versions.versions().stream()
                .map(CauseChart::beginning)
                .filter(begin -> !begin.isBefore(cause.firstSeen().minus(CauseVersions.NEAR)))
                .min(Comparator.naturalOrder())
                .filter(begin -> begin.isBefore(now.minus(SHORTEST)))
                .orElse(now.minus(SHORTEST));
        Scale scale = new Scale(first, now);
        return new CauseChart(first, bars(cause, scale), marks(versions, scale), words(cause, versions, now));
    }

    /** A node of a version starts before its first letter; of a version without live nodes only the letters are known. */
    private static Instant beginning(CauseVersions.OfVersion version) {
        return version.started()
                .filter(started -> version.first().filter(started::isAfter).isEmpty())
                .or(version::first)
                .orElse(Instant.MAX);
    }

    private record Scale(Instant from, Instant to) {
        int x(Instant time) {
            double share = (double) Duration.between(from, time).toMillis()
                    / Duration.between(from, to).toMillis();
            return (int) Math.round(MARGIN + (WIDTH - MARGIN - 2) * Math.max(0, Math.min(1, share)));
        }
    }

    private static List<Bar> bars(Cause cause, Scale scale) {
        TreeMap<LocalDate, Sighting> days = new TreeMap<>();
        cause.sightings().forEach(sighting -> days.merge(sighting.day(), sighting, CauseChart::together));
        long most = days.values().stream().mapToLong(Sighting::letters).max().orElse(1);
        List<Bar> bars = new ArrayList<>();
        for (Sighting day : days.values()) {
            int left = Math.min(scale.x(day.first()), WIDTH - NARROWEST);
            bars.add(new Bar(
                    left,
                    Math.max(NARROWEST, scale.x(day.last()) - left),
                    (int) Math.max(2, tallest(days.size()) * day.letters() / most),
                    Format.day(day.first()) + ": " + Format.counted(day.letters(), "letter")));
        }
        return List.copyOf(bars);
    }

    private static Sighting together(Sighting one, Sighting other) {
        return new Sighting(
                one.day(),
                one.name(),
                one.version(),
                one.letters() + other.letters(),
                one.first().isBefore(other.first()) ? one.first() : other.first(),
                one.last().isAfter(other.last()) ? one.last() : other.last());
    }

    private static List<Mark> marks(CauseVersions versions, Scale scale) {
        List<Mark> marks = new ArrayList<>();
        versions.versions().stream()
                .filter(version -> !beginning(version).isBefore(scale.from()))
                .sorted(Comparator.comparing(CauseChart::beginning))
                .forEach(version -> {
                    int x = scale.x(beginning(version));
                    Mark last = marks.isEmpty() ? null : marks.get(marks.size() - 1);
                    boolean low = last != null && !last.low() && x - last.x() < LABEL;
                    marks.add(new Mark(x, version.version(), low, words(version)));
                });
        return List.copyOf(marks);
    }

    private static String words(CauseVersions.OfVersion version) {
        Instant begin = beginning(version);
        return version.version()
                + (version.started().filter(begin::equals).isPresent() ? ": a node started " : ": first letter ")
                + Format.exact(begin);
    }

    private static String words(Cause cause, CauseVersions versions, Instant now) {
        return Format.counted(cause.seen(), "letter") + " from " + Format.clock(cause.firstSeen(), now) + " to "
                + Format.clock(cause.lastSeen(), now) + "; "
                + String.join(
                        "; ",
                        versions.versions().stream().map(CauseChart::words).toList());
    }
}
