package io.redrive.cli;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** How fast a run is: over the last while, because what it did an hour ago says little about the next minute. */
final class RunPace {

    private static final Duration WHILE = Duration.ofSeconds(30);

    private final Deque<Point> points = new ArrayDeque<>();

    private record Point(Duration at, long processed) {}

    /** So many samples had their end at this moment. */
    void seen(Duration at, long processed) {
        points.addLast(new Point(at, processed));
        while (points.size() > 2 && at.minus(points.peekFirst().at()).compareTo(WHILE) > 0) {
            points.removeFirst();
        }
    }

    /** Samples that get their end in a second; 0 when nothing is known yet. */
    double perSecond() {
        if (points.size() < 2) {
            return 0;
        }
        Point first = points.peekFirst();
        Point last = points.peekLast();
        double seconds = last.at().minus(first.at()).toNanos() / 1e9;
        return seconds <= 0 ? 0 : (last.processed() - first.processed()) / seconds;
    }

    /** How long so many more will take, in whole seconds; empty when nobody can tell. */
    Optional<Duration> timeFor(long samples) {
        double rate = perSecond();
        if (rate <= 0) {
            return Optional.empty();
        }
        return Optional.of(Duration.ofSeconds((long) Math.ceil(Math.min(samples / rate, Integer.MAX_VALUE))));
    }
}
