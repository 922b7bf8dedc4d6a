package io.redrive.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The shipped jar, in a separate JVM and in the locale of a bare container. */
final class Jar {

    /** A process in the background of a script ignores Ctrl-C, and so do its child processes, including these tests. */
    private static final List<String> HEEDS_CTRL_C = heedsCtrlC();

    private Jar() {}

    static Process start(List<String> javaOptions, String... args) throws IOException {
        List<String> command = new ArrayList<>(HEEDS_CTRL_C);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(javaOptions);
        command.addAll(List.of(
                "-jar", Path.of("target", "redrive-cli.jar").toAbsolutePath().toString()));
        command.addAll(List.of(args));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("LC_ALL", "C");
        // The working folder, which gets the log, belongs to the build.
        builder.directory(Path.of("target").toFile());
        Process process = builder.start();
        process.getOutputStream().close();
        return process;
    }

    static String run(String... args) throws IOException, InterruptedException {
        Process process = start(List.of(), args);
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return "exit " + process.exitValue() + ": " + output;
    }

    private static List<String> heedsCtrlC() {
        List<String> prefix = List.of("env", "--default-signal=INT");
        List<String> probe = new ArrayList<>(prefix);
        probe.add("true");
        try {
            boolean known = new ProcessBuilder(probe)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
            return known ? prefix : List.of();
        } catch (IOException e) {
            return List.of();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }
}
