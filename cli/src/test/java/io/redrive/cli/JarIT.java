package io.redrive.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shipped jar, in a separate JVM and in the locale of a bare container. */
final class JarIT {

    @Test
    void the_jar_runs_alone_and_prints_a_version() throws Exception {
        assertThat(Jar.run("--version")).startsWith("exit 0: redrive ").doesNotContain("development");
    }

    @Test
    void the_chart_is_readable_in_the_c_locale() throws Exception {
        assertThat(Jar.run("policy", "explain", "--preset", "events"))
                .startsWith("exit 0: ")
                .contains("×2", "±20%", "░");
    }

    @Test
    void yaml_is_read_and_wrong_input_is_exit_code_2() throws Exception {
        assertThat(Jar.run("policy", "explain", "--file", "../pom.xml"))
                .startsWith("exit 2: redrive policy explain: ../pom.xml");
    }

    @Test
    void a_command_without_a_store_loads_no_class_of_a_store() throws Exception {
        Process process = Jar.start(List.of("-Xlog:class+load"), "policy", "explain");
        String loaded = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).isZero();
        assertThat(loaded)
                .contains("io.redrive.core.RetryPolicy ", "io.redrive.cli.policy.PolicyExplain ")
                .doesNotContain("org.sqlite", "org.flywaydb", "tools.jackson", "io.redrive.jdbc");
    }

    @Test
    void commands_list_and_publish_while_a_process_works_on_the_file_and_after_a_kill(@TempDir Path folder)
            throws Exception {
        String file = folder.resolve("events.db").toString();
        Process demo = Jar.start(List.of(), "demo", "--no-server", "--seconds", "60", "--store", file);
        try (BufferedReader lines = demo.inputReader(StandardCharsets.UTF_8)) {
            assertThat(lines.lines().filter(line -> line.startsWith("+")).findFirst())
                    .isPresent();
            assertThat(Jar.run("stats", "--json", "--store", file)).startsWith("exit 0: {\"ready\":");
            assertThat(Jar.run("dlq", "list", "--store", file)).startsWith("exit 0: ");
            assertThat(Jar.run("publish", "--name", "system.hello", "--source", "test", "--store", file))
                    .startsWith("exit 0: ")
                    .contains("accepted");
            assertThat(demo.isAlive()).isTrue();
        } finally {
            demo.destroyForcibly().waitFor();
        }

        assertThat(Jar.run("dlq", "groups", "--store", file)).startsWith("exit 0: ");
        // A second process takes over the claims of the killed process and handles all remaining events.
        Process second = Jar.start(
                List.of(), "demo", "--no-server", "--rate", "0", "--seconds", "60", "--fixed", "--store", file);
        try {
            await().atMost(Duration.ofSeconds(50))
                    .pollInterval(Duration.ofMillis(500))
                    .untilAsserted(() -> assertThat(Jar.run("stats", "--json", "--store", file))
                            .startsWith("exit 0: {\"ready\":0,\"delayed\":0,\"claimed\":0,"));
        } finally {
            second.destroyForcibly().waitFor();
        }
    }
}
