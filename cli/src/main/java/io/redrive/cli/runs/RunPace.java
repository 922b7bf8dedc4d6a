package io.redrive.cli.runs;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Measures the pace of a run over its last 30 seconds, because an earlier pace says little about the next minute. */
final class RunPace {

    private static final Duration WINDOW = Duration.ofSeconds(30);

    private final Deque<Point> points = new ArrayDeque<>();

    private @Nullable Point first;

    private record Point(Duration at, long processed) {}

    /** Records that {@code processed} samples had ended at this moment. */
    void seen(Duration at, long processed) {
        Point point = new Point(at, processed);
        first = first == null ? point : first;
        points.addLast(point);
        while (points.size() > 2 && at.minus(points.getFirst().at()).compareTo(WINDOW) > 0) {
            points.removeFirst();
        }
    }

    /** Returns how many samples end in a second; {@code NaN} when no time has passed yet. */
    double perSecond() {
        return between(points.peekFirst(), points.peekLast());
    }

    /** Returns how many samples ended in a second since the first record; {@code NaN} when no time has passed yet. */
    double perSecondOverall() {
        return between(first, points.peekLast());
    }

    private static double between(@Nullable Point from, @Nullable Point to) {
        if (from == null || to == null) {
            return Double.NaN;
        }
        double seconds = to.at().minus(from.at()).toNanos() / 1e9;
        return seconds <= 0 ? Double.NaN : (to.processed() - from.processed()) / seconds;
    }

    /** Returns how long {@code samples} more will take, in whole seconds; empty when the pace is unknown or zero. */
    Optional<Duration> timeFor(long samples) {
        double rate = perSecond();
        if (Double.isNaN(rate) || rate <= 0) {
            return Optional.empty();
        }
        return Optional.of(Duration.ofSeconds((long) Math.ceil(Math.min(samples / rate, Integer.MAX_VALUE))));
    }
}
