package io.redrive.examples.kafkaorders;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs Java programs with the class path of the tests, in processes of their own. */
final class Commands {

    private Commands() {}

    /** Runs the command line of Redrive, and returns all that was printed. */
    static String redrive(Path folder, String... arguments) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("io.redrive.cli.Redrive"));
        all.addAll(List.of(arguments));
        return java(folder, all);
    }

    static String java(Path folder, List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path")));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        try {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(process.exitValue()).as(said).isZero();
            return said;
        } finally {
            process.destroyForcibly();
        }
    }
}
