package io.redrive.cli;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** How fast a run is: over the last while, because what it did an hour ago says little about the next minute. */
final class RunPace {

    private static final Duration WHILE = Duration.ofSeconds(30);

    private final Deque<Point> points = new ArrayDeque<>();

    private Point first;

    private record Point(Duration at, long processed) {}

    /** So many samples had their end at this moment. */
    void seen(Duration at, long processed) {
        Point point = new Point(at, processed);
        first = first == null ? point : first;
        points.addLast(point);
        while (points.size() > 2 && at.minus(points.peekFirst().at()).compareTo(WHILE) > 0) {
            points.removeFirst();
        }
    }

    /** Samples that get their end in a second; not a number when nothing is known yet. */
    double perSecond() {
        return points.isEmpty() ? Double.NaN : between(points.peekFirst(), points.peekLast());
    }

    /** The same over all that was seen. */
    double perSecondOverall() {
        return points.isEmpty() ? Double.NaN : between(first, points.peekLast());
    }

    private static double between(Point from, Point to) {
        double seconds = to.at().minus(from.at()).toNanos() / 1e9;
        return seconds <= 0 ? Double.NaN : (to.processed() - from.processed()) / seconds;
    }

    /** How long so many more will take, in whole seconds; empty when nobody can tell. */
    Optional<Duration> timeFor(long samples) {
        double rate = perSecond();
        if (Double.isNaN(rate) || rate <= 0) {
            return Optional.empty();
        }
        return Optional.of(Duration.ofSeconds((long) Math.ceil(Math.min(samples / rate, Integer.MAX_VALUE))));
    }
}
