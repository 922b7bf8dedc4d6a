package io.redrive.examples.kafkaorders;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Backoff;
import io.redrive.core.RetryPolicy;
import io.redrive.events.EventStore;
import io.redrive.events.LetterFilter;
import io.redrive.jdbc.SqliteStore;
import io.redrive.kafka.KafkaFlow;
import io.redrive.pipeline.EventPolicies;
import io.redrive.pipeline.Pipeline;
import io.redrive.pipeline.Profile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the pages on Kafka tell, on a broker: the program of ten minutes, the code of a move, and the import of letters. */
final class GuideOnKafkaIT {

    private static String brokers = "";

    @TempDir
    private Path folder;

    private final BlockingQueue<String> billed = new LinkedBlockingQueue<>();

    @BeforeAll
    static void startBroker() throws Exception {
        // The broker ends with this process, after the folders of the tests are deleted.
        brokers = LocalBroker.start(Files.createTempDirectory(Path.of("target"), "broker"), "orders");
    }

    private static String programOf(String page, String name) throws Exception {
        String text = Files.readString(Path.of("..", "..", "docs", "guide", page));
        Matcher program = Pattern.compile("<!-- program: " + name + " -->\\n```java\\n(.*?)\\n```", Pattern.DOTALL)
                .matcher(text);
        assertThat(program.find()).as("program " + name + " of " + page).isTrue();
        return program.group(1);
    }

    @Test
    void the_program_of_ten_minutes_bills_a_record_and_leaves_a_dead_letter() throws Exception {
        Path program = Files.writeString(folder.resolve("Bills.java"), programOf("kafka.md", "Bills"));
        String said = Commands.java(folder, List.of(program.toString(), brokers));
        assertThat(said).contains("lamp is billed").doesNotContain("unicorn is billed");
        assertThat(Commands.redrive(folder, "dlq", "list", "--store", "bills.db"))
                .contains("order.placed", "no price for unicorn");
        Commands.redrive(folder, "dlq", "redrive", "1", "--store", "bills.db");
        try (EventStore store = SqliteStore.open(folder.resolve("bills.db"))) {
            assertThat(store.deadLetters().count(LetterFilter.ALL)).isZero();
            assertThat(store.stats(Instant.now()).ready()).isEqualTo(1);
        }
    }

    @Test
    void the_code_of_a_move_from_retryable_topics_retries_and_keeps_what_is_not_retried() throws Exception {
        try (EventStore store = SqliteStore.open(folder.resolve("bills.db"))) {
            // snippet: kafka-from-retryable-topic
            RetryPolicy fourAttempts = RetryPolicy.builder()
                    .maxAttempts(4)
                    .backoff(Backoff.exponential(Duration.ofSeconds(1), Duration.ofSeconds(30), 2))
                    .doNotRetryOn(IllegalArgumentException.class)
                    .build();
            KafkaFlow flow = KafkaFlow.on(store)
                    .bootstrap(brokers)
                    .group("billing")
                    .topics("orders")
                    .open();
            Pipeline pipeline = Pipeline.on(flow)
                    .policies(EventPolicies.defaults().with("orders", fourAttempts))
                    .on("orders", event -> bill(event.payload()))
                    .start();
            // end
            send("slow", "broken");
            assertThat(poll()).isEqualTo("slow");
            while (store.deadLetters().count(LetterFilter.ALL) == 0) {
                assertThat(billed.poll(50, TimeUnit.MILLISECONDS)).isNull();
            }
            assertThat(store.deadLetters().list(LetterFilter.ALL, 0, 10))
                    .singleElement()
                    .satisfies(letter -> assertThat(letter.event().text()).isEqualTo("broken"));
            pipeline.close();
            flow.close();
        }
    }

    private boolean failed;

    private void bill(byte[] payment) {
        String text = new String(payment, StandardCharsets.UTF_8);
        if (text.equals("broken")) {
            throw new IllegalArgumentException("broken");
        }
        if (text.equals("slow") && !failed) {
            failed = true;
            throw new IllegalStateException("not yet");
        }
        billed.add(text);
    }

    @Test
    void the_code_of_a_move_from_parallel_consumer_handles_its_topic() throws Exception {
        try (EventStore store = SqliteStore.open(folder.resolve("refunds.db"))) {
            // snippet: kafka-from-parallel-consumer
            KafkaFlow flow = KafkaFlow.on(store)
                    .bootstrap(brokers)
                    .group("billing")
                    .topics("orders")
                    .orderedByKey() // ProcessingOrder.KEY; leave out for UNORDERED
                    .open();
            Profile profile = Profile.STANDARD.withProcessors(64); // maxConcurrency
            Pipeline pipeline = Pipeline.on(flow)
                    .profile(profile)
                    .on("orders", event -> bill(event.payload()))
                    .start();
            // end
            send("a", "b");
            assertThat(List.of(poll(), poll())).containsExactlyInAnyOrder("a", "b");
            pipeline.close();
            flow.close();
        }
    }

    private String poll() throws InterruptedException {
        String text = billed.poll(1, TimeUnit.MINUTES);
        assertThat(text).isNotNull();
        return text;
    }

    private static void send(String... values) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", brokers), new ByteArraySerializer(), new ByteArraySerializer())) {
            for (String value : values) {
                producer.send(new ProducerRecord<>("orders", value.getBytes(StandardCharsets.UTF_8)))
                        .get();
            }
        }
    }
}
