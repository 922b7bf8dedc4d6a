package io.redrive.bench;

import com.typesafe.config.ConfigFactory;
import io.redrive.core.Backoff;
import io.redrive.core.Jitter;
import io.redrive.core.RetryPolicy;
import io.redrive.pekko.RetryBehavior;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Measures a typed actor in a separate JVM: messages per second, or bytes per pending retry. */
final class ActorLoad {

    /** What is measured. */
    enum Kind {
        PLAIN,
        NEVER_FAILS,
        FAILS_1_PERCENT,
        PENDING
    }

    private static final int BURST = 100_000;
    private static final int PENDING = 100_000;
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final IOException FAILURE = new FlakyFailure();

    private ActorLoad() {}

    /** Without a stack trace, which would cost more than the retry under measurement. */
    private static final class FlakyFailure extends IOException {
        private static final long serialVersionUID = 1L;

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }

    private sealed interface Message {}

    /** Handled at once. */
    private record Work() implements Message {}

    /** Fails once. */
    private static final class Flaky implements Message {
        private boolean failed;
    }

    /** Fails for ever. */
    private record Hopeless() implements Message {}

    private record Done(CountDownLatch latch) implements Message {}

    /** Measures in a new JVM, for about {@code seconds}. */
    static double inChild(Kind kind, int seconds) throws IOException, InterruptedException {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx1g",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ActorLoad.class.getName(),
                        kind.name(),
                        Integer.toString(seconds))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String answer = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (child.waitFor() != 0) {
            throw new IOException("measuring " + kind + " ended with exit code " + child.exitValue());
        }
        return Double.parseDouble(answer.strip());
    }

    public static void main(String[] args) throws InterruptedException {
        Kind kind = Kind.valueOf(args[0]);
        ActorSystem<Message> actor = ActorSystem.create(
                kind == Kind.PLAIN ? handler() : retrying(kind),
                "bench",
                ConfigFactory.parseString("pekko.loglevel = OFF, pekko.stdout-loglevel = OFF")
                        .withFallback(ConfigFactory.load()));
        System.out.println(
                kind == Kind.PENDING
                        ? bytesPerRetry(actor)
                        : messagesPerSecond(actor, kind, Integer.parseInt(args[1])));
        System.exit(0);
    }

    private static Behavior<Message> handler() {
        return Behaviors.receiveMessage(message -> {
            if (message instanceof Work) {
                return Behaviors.same();
            }
            if (message instanceof Flaky flaky) {
                if (!flaky.failed) {
                    flaky.failed = true;
                    throw FAILURE;
                }
                return Behaviors.same();
            }
            if (message instanceof Hopeless) {
                throw FAILURE;
            }
            ((Done) message).latch.countDown();
            return Behaviors.same();
        });
    }

    private static Behavior<Message> retrying(Kind kind) {
        Duration wait = kind == Kind.PENDING ? Duration.ofHours(1) : Duration.ofMillis(10);
        RetryPolicy policy = RetryPolicy.builder()
                .backoff(Backoff.fixed(wait))
                .jitter(Jitter.none())
                .build();
        return RetryBehavior.of(Message.class, policy).around(handler());
    }

    /** The best of the bursts after the first half of the time, which is for warming up. */
    private static double messagesPerSecond(ActorRef<Message> actor, Kind kind, int seconds)
            throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        long warm = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds) / 2;
        double best = 0;
        while (System.nanoTime() < end) {
            boolean counts = System.nanoTime() > warm;
            double rate = burst(actor, kind);
            best = counts ? Math.max(best, rate) : best;
        }
        return best;
    }

    private static double burst(ActorRef<Message> actor, Kind kind) throws InterruptedException {
        int flaky = kind == Kind.FAILS_1_PERCENT ? 100 : Integer.MAX_VALUE;
        CountDownLatch done = new CountDownLatch(1);
        Work work = new Work();
        long start = System.nanoTime();
        for (int i = 1; i <= BURST; i++) {
            actor.tell(i % flaky == 0 ? new Flaky() : work);
        }
        return BURST / ((await(actor, done) - start) / 1e9);
    }

    private static long await(ActorRef<Message> actor, CountDownLatch done) throws InterruptedException {
        actor.tell(new Done(done));
        if (!done.await(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException("not done within " + LIMIT);
        }
        return System.nanoTime();
    }

    private static double bytesPerRetry(ActorRef<Message> actor) throws InterruptedException {
        fail(actor, 1_000);
        long before = liveBytes();
        fail(actor, PENDING);
        return Math.rint(10.0 * (liveBytes() - before) / PENDING) / 10;
    }

    private static void fail(ActorRef<Message> actor, int messages) throws InterruptedException {
        // The same object each time: the size of the message must not count.
        Hopeless hopeless = new Hopeless();
        for (int i = 0; i < messages; i++) {
            actor.tell(hopeless);
        }
        await(actor, new CountDownLatch(1));
    }

    private static long liveBytes() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
