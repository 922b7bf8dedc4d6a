package io.redrive.examples.kafkaorders;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts the application as the README says. */
final class KafkaOrdersApplicationIT {

    @TempDir
    private Path folder;

    @Test
    void the_application_ships_orders_of_its_topic_and_redrives_the_dead_letter() throws Exception {
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Djava.io.tmpdir=" + folder,
                        "-jar",
                        Path.of("target/kafka-orders-app.jar").toAbsolutePath().toString())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(4, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        String said = Files.readString(output, StandardCharsets.UTF_8);
        assertThat(process.exitValue()).as(said).isZero();
        assertThat(said)
                .containsSubsequence(
                        "order 1: lamp shipped",
                        "order 2: sofa shipped",
                        "order 3: lamp shipped",
                        "dead letter, also on dlq.orders: ",
                        "the warehouse has no item 'unicorn'",
                        "order 4: unicorn shipped",
                        "0 dead letters are left");
    }
}
