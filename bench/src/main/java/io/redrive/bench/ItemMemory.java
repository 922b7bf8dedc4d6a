package io.redrive.bench;

import io.redrive.items.run.Run;
import io.redrive.items.store.RunStore;
import io.redrive.jdbc.SqliteRunStore;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/** The live heap in the middle of a run, in a JVM of its own, looked at ten times in the second half of the samples. */
final class ItemMemory {

    private static final int LOOKS = 10;

    private ItemMemory() {}

    /** Runs {@code samples} in a new JVM; the median of the looks, in bytes. */
    static double inChild(Path file, int samples) throws IOException, InterruptedException {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx512m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ItemMemory.class.getName(),
                        file.toString(),
                        Integer.toString(samples))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String answer = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (child.waitFor() != 0) {
            throw new IOException("the run of " + samples + " samples ended with exit code " + child.exitValue());
        }
        return Double.parseDouble(answer.strip());
    }

    public static void main(String[] args) throws InterruptedException {
        QuietLog.now();
        int samples = Integer.parseInt(args[1]);
        double[] looks = new double[LOOKS];
        try (RunStore store = SqliteRunStore.open(Path.of(args[0]));
                Run run = ItemLoad.run(store, "memory", samples).start()) {
            for (int i = 0; i < LOOKS; i++) {
                awaitProcessed(run, samples / 2 + (long) i * samples / (2 * LOOKS));
                looks[i] = liveBytes();
            }
            run.await();
        }
        Arrays.sort(looks);
        System.out.println((looks[LOOKS / 2 - 1] + looks[LOOKS / 2]) / 2);
    }

    private static void awaitProcessed(Run run, long samples) throws InterruptedException {
        while (run.progress().processed() < samples && !run.isOver()) {
            Thread.sleep(2);
        }
        if (run.isOver()) {
            throw new IllegalStateException("the run was over before it could be looked at");
        }
    }

    private static long liveBytes() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
