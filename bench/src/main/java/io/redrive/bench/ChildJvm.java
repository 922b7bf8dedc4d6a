package io.redrive.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A main class of the benchmarks in a process of its own, which prints its figures as one line. */
final class ChildJvm {

    private static final long LIMIT_SECONDS = 120;

    private final Process process;

    private ChildJvm(Process process) {
        this.process = process;
    }

    static ChildJvm start(Class<?> main, String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(args));
        return new ChildJvm(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** Returns the numbers in the last line that the process printed. */
    double[] figures() throws IOException, InterruptedException {
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IllegalStateException("a process of the benchmark failed: " + output);
            }
            String line = output.substring(output.lastIndexOf('\n') + 1);
            return List.of(line.split(" ")).stream()
                    .mapToDouble(Double::parseDouble)
                    .toArray();
        } finally {
            process.destroyForcibly();
        }
    }
}
