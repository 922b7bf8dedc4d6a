package io.redrive.cli.demo;

import io.redrive.core.ManualTime;
import io.redrive.core.Time;
import io.redrive.events.EventStore;
import io.redrive.pipeline.Pipeline;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;

/** Plays traffic and handlers of the demo on a clock moved by hand: two plays leave the same letters. */
public final class PlayedDemo {

    /** The rate of the demo without {@code --rate}. */
    private static final int RATE = 25;

    private static final Duration TICK = Duration.ofMillis(100);
    private static final Duration SETTLED = Duration.ofSeconds(15);

    private PlayedDemo() {}

    /** Returns a node with the handlers of the demo; a caller drains it. */
    public static Pipeline node(EventStore store, ManualTime time, boolean fixed) {
        Pipeline.Builder builder = Pipeline.on(store)
                .service("demo")
                .node(fixed ? "demo-2" : "demo-1")
                .time(time)
                .random(new Random(17))
                .executor(Runnable::run);
        new DemoServices(new HandlerTime(time), fixed).attach(builder);
        return builder.build();
    }

    /** Publishes events for this long, and lets all of them end. */
    public static void play(EventStore store, ManualTime time, Duration length) {
        try (Pipeline node = node(store, time, false)) {
            DemoTraffic traffic = new DemoTraffic(time);
            Instant begin = time.now();
            long published = 0;
            for (Duration passed = Duration.ZERO;
                    passed.compareTo(length.plus(SETTLED)) < 0;
                    passed = Duration.between(begin, time.now())) {
                Duration publishing = passed.compareTo(length) < 0 ? passed : length;
                long due = publishing.toMillis() * RATE / 1_000;
                if (due > published) {
                    node.publish(traffic.next((int) (due - published)));
                    published = due;
                }
                node.drain();
                time.advance(TICK);
            }
        }
    }

    /** A clock whose waits end when their thread is interrupted, as a wait on the system's clock does. */
    private record HandlerTime(ManualTime time) implements Time {

        private static final Duration STEP = Duration.ofMillis(5);

        @Override
        public Instant now() {
            return time.now();
        }

        @Override
        public long nanos() {
            return time.nanos();
        }

        @Override
        public void sleep(Duration duration) throws InterruptedException {
            for (Duration left = duration; left.compareTo(Duration.ZERO) > 0; left = left.minus(STEP)) {
                time.sleep(left.compareTo(STEP) < 0 ? left : STEP);
            }
        }

        @Override
        public Scheduled schedule(Duration delay, Runnable task) {
            return time.schedule(delay, task);
        }
    }
}
