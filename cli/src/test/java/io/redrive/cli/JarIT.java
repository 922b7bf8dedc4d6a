package io.redrive.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The jar as it is shipped, in a JVM of its own and in the locale of a bare container. */
final class JarIT {

    @Test
    void the_jar_runs_alone_and_knows_its_version() throws Exception {
        assertThat(run("--version")).startsWith("exit 0: redrive ").doesNotContain("development");
    }

    @Test
    void the_chart_is_readable_in_the_c_locale() throws Exception {
        assertThat(run("policy", "explain", "--preset", "events"))
                .startsWith("exit 0: ")
                .contains("×2", "±20%", "░");
    }

    @Test
    void yaml_is_read_and_wrong_input_is_exit_code_2() throws Exception {
        assertThat(run("policy", "explain", "--file", "pom.xml")).startsWith("exit 2: redrive policy explain: pom.xml");
    }

    private static String run(String... args) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                Path.of("target", "redrive-cli.jar").toString()));
        command.addAll(List.of(args));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("LC_ALL", "C");
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return "exit " + process.exitValue() + ": " + output;
    }
}
