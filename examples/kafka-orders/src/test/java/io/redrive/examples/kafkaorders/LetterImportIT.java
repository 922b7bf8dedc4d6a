package io.redrive.examples.kafkaorders;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.DeadLetter;
import io.redrive.events.EventStore;
import io.redrive.events.LetterFilter;
import io.redrive.jdbc.SqliteStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code redrive dlq import --kafka} in a process of its own, from a topic of a broker into the file of a store. */
final class LetterImportIT {

    private static final int ABOVE_THE_STORE = (1 << 20) + 1;

    @TempDir
    private Path folder;

    @Test
    void letters_of_a_topic_are_imported_once_and_a_letter_above_the_limit_stops_no_import() throws Exception {
        String broker = LocalBroker.start(Files.createTempDirectory(Path.of("target"), "broker"), "orders-dlt");
        send(broker, bytes("first"), new byte[ABOVE_THE_STORE], bytes("last"));
        SqliteStore.open(folder.resolve("orders.db")).close();
        Path config = Files.writeString(folder.resolve("client.properties"), "client.id=import-test\n");
        String[] command = {
            "dlq",
            "import",
            "--kafka",
            broker,
            "--topic",
            "orders-dlt",
            "--event-name",
            "order.placed",
            "--client-config",
            config.toString(),
            "--store",
            "orders.db"
        };
        assertThat(Commands.redrive(folder, command))
                .contains("3 letters imported")
                .containsPattern(
                        "the record at orders-dlt/\\d@\\d is imported without its payload: payload must be at most")
                .contains("edit the letter before a redrive");
        assertThat(Commands.redrive(folder, command)).as("the group continues").contains("0 letters imported");
        String[] again = List.of(command).toArray(new String[command.length + 1]);
        again[command.length] = "--from-beginning";
        assertThat(Commands.redrive(folder, again)).contains("0 letters imported, 3 skipped: already here");
        try (EventStore store = SqliteStore.open(folder.resolve("orders.db"))) {
            List<DeadLetter> letters = store.deadLetters().list(LetterFilter.ALL, 0, 10);
            assertThat(letters)
                    .extracting(letter -> letter.event().text())
                    .containsExactlyInAnyOrder("first", "", "last");
            assertThat(letters)
                    .allSatisfy(letter -> assertThat(letter.isRedacted())
                            .isEqualTo(letter.event().payloadSize() == 0));
        }
    }

    private static void send(String broker, byte[]... values) throws Exception {
        Map<String, Object> client = Map.of("bootstrap.servers", broker, "max.request.size", 4 << 20);
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, "orders-dlt");
        Collection<AlterConfigOp> larger =
                List.of(new AlterConfigOp(new ConfigEntry("max.message.bytes", "4000000"), AlterConfigOp.OpType.SET));
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker));
                KafkaProducer<byte[], byte[]> producer =
                        new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer())) {
            admin.incrementalAlterConfigs(Map.of(topic, larger)).all().get();
            for (byte[] value : values) {
                producer.send(new ProducerRecord<>("orders-dlt", value)).get();
            }
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
