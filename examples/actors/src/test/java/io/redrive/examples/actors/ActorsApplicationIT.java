package io.redrive.examples.actors;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts the application as the README says. */
final class ActorsApplicationIT {

    @TempDir
    private Path folder;

    @Test
    void the_application_prints_its_rates_and_ends() throws Exception {
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-jar",
                        Path.of("target/actors-app.jar").toAbsolutePath().toString())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        String said = Files.readString(output, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as(said).isZero();
        assertThat(said)
                .containsSubsequence(
                        "1 USD = 0.92 EUR",
                        "1 USD = 0.79 GBP",
                        "1 USD = 151.20 JPY",
                        "CHF: gave up after 3 attempts",
                        "5 retries, 2 messages recovered, 1 given up")
                .contains(
                        "RateActor failed on GetRate (attempt 1/3): java.io.IOException: no connection to the exchange");
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(output);
        }
    }
}
