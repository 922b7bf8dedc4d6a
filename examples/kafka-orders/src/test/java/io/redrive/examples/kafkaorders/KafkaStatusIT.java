package io.redrive.examples.kafkaorders;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.RetryPolicy;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.jdbc.SqliteStore;
import io.redrive.kafka.KafkaBus;
import io.redrive.kafka.KafkaFlow;
import io.redrive.pipeline.EventPolicies;
import io.redrive.pipeline.Pipeline;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A flow in this process, and {@code redrive kafka status} in another process that knows only the file of the store. */
final class KafkaStatusIT {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    private Path folder;

    /** Runs the command until its answer is as expected. */
    private String status(Path file, Predicate<String> expected) throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        String said = "";
        while (System.nanoTime() < end) {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            "io.redrive.cli.Redrive",
                            "kafka",
                            "status",
                            "--store",
                            file.toString())
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .start();
            said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(said).isZero();
            if (expected.test(said)) {
                return said;
            }
        }
        throw new AssertionError("the status never was as expected, but: " + said);
    }

    @Test
    void another_process_sees_the_lag_go_to_zero_and_one_letter() throws Exception {
        Path file = folder.resolve("orders.db");
        CountDownLatch opened = new CountDownLatch(1);
        // The broker ends with this process, after the folder of the test is deleted.
        String broker = LocalBroker.start(Files.createTempDirectory(Path.of("target"), "broker"), "orders");
        RetryPolicy noRetry = RetryPolicy.builder().maxAttempts(1).build();
        try (EventStore store = SqliteStore.open(file);
                KafkaBus bus = KafkaBus.builder().bootstrap(broker).open();
                KafkaFlow flow = KafkaFlow.on(store)
                        .bootstrap(broker)
                        .group("shipping")
                        .topics("orders")
                        .open();
                Pipeline pipeline = Pipeline.on(flow)
                        .node("shop-1")
                        .policies(EventPolicies.defaults().with("order.placed", noRetry))
                        .on("order.placed", event -> {
                            opened.await();
                            if (event.text().equals("order 7")) {
                                throw new NoSuchItemException("unicorn");
                            }
                        })
                        .start()) {
            assertThat(status(file, said -> said.contains("orders"))).contains("group shipping: lag 0, 1 node runs");
            for (int number = 0; number < 20; number++) {
                bus.publish(
                        "orders",
                        Event.named("order.placed")
                                .id("order-" + number)
                                .source("shop")
                                .payload(("order " + number).getBytes(StandardCharsets.UTF_8), "text/plain")
                                .build());
            }
            assertThat(status(file, said -> said.contains("lag 20")))
                    .containsPattern("orders +3 +20 +20 +0 +0 +0 +0")
                    .containsPattern("shop-1 +running +.* 3 +0 +off +orders");
            opened.countDown();
            assertThat(status(file, said -> said.contains("lag 0"))).containsPattern("orders +3 +0 +0 +0 +0 +0 +1");
            assertThat(pipeline.describe()).contains("Kafka topics orders");
        }
        assertThat(status(file, said -> said.contains("no node runs")))
                .containsPattern("orders +0 +0 +0 +0 +0 +0 +1 +stale")
                .containsPattern("shop-1 +stopped");
    }
}
