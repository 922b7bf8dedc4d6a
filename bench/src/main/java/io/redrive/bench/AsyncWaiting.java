package io.redrive.bench;

import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeExecutor;
import io.github.resilience4j.retry.RetryConfig;
import io.redrive.core.Backoff;
import io.redrive.core.Jitter;
import io.redrive.core.Retry;
import io.redrive.core.RetryPolicy;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Measures waiting asynchronous calls: a separate JVM starts many calls whose first attempt fails and whose backoff is an
 * hour, and compares the number of threads and the live heap before and after.
 */
final class AsyncWaiting {

    static final List<Library> LIBRARIES = List.of(Library.OURS, Library.RESILIENCE4J, Library.FAILSAFE);

    private static final int CALLS = 100_000;
    private static final int WARM_UP = 1_000;
    private static final Duration BACKOFF = Duration.ofHours(1);
    private static final CompletionStage<Object> FAILED =
            CompletableFuture.failedFuture(new FlakyCall.TransientFailure());

    /** Number of first attempts. Shared by all calls, because the size of the operation must not count. */
    private static final AtomicInteger ATTEMPTS = new AtomicInteger();

    private AsyncWaiting() {}

    record Cost(int threads, double bytesPerCall) {
        @Override
        public String toString() {
            return threads + " " + bytesPerCall;
        }

        static Cost parse(String text) {
            String[] parts = text.strip().split(" ");
            return new Cost(Integer.parseInt(parts[0]), Double.parseDouble(parts[1]));
        }
    }

    /** Measures {@code library} in a new JVM. */
    static Cost inChild(Library library) throws IOException, InterruptedException {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx1g",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        AsyncWaiting.class.getName(),
                        library.name())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String answer = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (child.waitFor() != 0) {
            throw new IOException("measuring " + library.label() + " ended with exit code " + child.exitValue());
        }
        return Cost.parse(answer);
    }

    public static void main(String[] args) throws InterruptedException {
        int threadsBefore = threads();
        Supplier<CompletableFuture<Object>> starter = starter(Library.valueOf(args[0]));
        CompletableFuture<?>[] calls = new CompletableFuture<?>[CALLS + WARM_UP];
        start(starter, calls, 0, WARM_UP);
        long before = liveBytes();
        start(starter, calls, WARM_UP, CALLS);
        long bytes = liveBytes() - before;
        int threads = threads() - threadsBefore;
        for (CompletableFuture<?> call : calls) {
            if (call.isDone()) {
                throw new IllegalStateException("a call is not waiting but done");
            }
        }
        System.out.println(new Cost(threads, Math.rint(10.0 * bytes / CALLS) / 10));
        System.exit(0);
    }

    private static void start(
            Supplier<CompletableFuture<Object>> starter, CompletableFuture<?>[] calls, int from, int n)
            throws InterruptedException {
        for (int i = from; i < from + n; i++) {
            calls[i] = starter.get();
        }
        while (ATTEMPTS.get() < from + n) {
            Thread.sleep(10);
        }
        // All first attempts were made; their threads need a moment to schedule the waits.
        Thread.sleep(300);
    }

    private static Supplier<CompletableFuture<Object>> starter(Library library) {
        return switch (library) {
            case OURS -> ours();
            case RESILIENCE4J -> resilience4j();
            case FAILSAFE -> failsafe();
            default -> throw new IllegalArgumentException(library + " has no asynchronous retry");
        };
    }

    private static Supplier<CompletableFuture<Object>> ours() {
        Retry retry = Retry.with(RetryPolicy.builder()
                .backoff(Backoff.fixed(BACKOFF))
                .jitter(Jitter.none())
                .build());
        return () -> retry.callAsync(AsyncWaiting::attempt);
    }

    private static Supplier<CompletableFuture<Object>> resilience4j() {
        io.github.resilience4j.retry.Retry retry = io.github.resilience4j.retry.Retry.of(
                "bench", RetryConfig.custom().waitDuration(BACKOFF).build());
        ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
        return () ->
                retry.executeCompletionStage(scheduler, AsyncWaiting::attempt).toCompletableFuture();
    }

    private static Supplier<CompletableFuture<Object>> failsafe() {
        FailsafeExecutor<Object> executor = Failsafe.with(
                dev.failsafe.RetryPolicy.builder().withDelay(BACKOFF).build());
        return () -> executor.getStageAsync(AsyncWaiting::attempt);
    }

    private static CompletionStage<Object> attempt() {
        ATTEMPTS.incrementAndGet();
        return FAILED;
    }

    private static int threads() {
        return ManagementFactory.getThreadMXBean().getThreadCount();
    }

    private static long liveBytes() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
