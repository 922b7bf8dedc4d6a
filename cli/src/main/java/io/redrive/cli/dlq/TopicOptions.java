package io.redrive.cli.dlq;

import io.redrive.kafka.LetterReader;
import io.redrive.kafka.RecordMapping;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Names topics of Kafka that hold dead letters. Classes of Kafka are loaded by {@link #open} alone. */
final class TopicOptions {

    @Option(
            names = "--kafka",
            paramLabel = "BOOTSTRAP",
            description = "Read dead letters from topics of this cluster, for example localhost:9092.")
    private @Nullable String bootstrap;

    @Option(
            names = "--topic",
            paramLabel = "TOPIC",
            description = "A topic with dead letters; may be given repeatedly.")
    private List<String> topics = List.of();

    @Option(
            names = "--event-name",
            paramLabel = "NAME",
            description =
                    "The name of the events of records that are no CloudEvents; by default the topic of the record.")
    private @Nullable String eventName;

    @Option(
            names = "--group",
            paramLabel = "GROUP",
            description = "The consumer group that remembers how far was imported (default: redrive-dlq-import).")
    private @Nullable String group;

    @Option(
            names = "--from-beginning",
            description = "Read the topics from their beginning, not from the last import on.")
    private boolean fromBeginning;

    @Option(
            names = "--client-config",
            paramLabel = "FILE",
            description = "Settings of Kafka's consumer, as properties: TLS, SASL.")
    private @Nullable Path clientConfig;

    /** Returns true when letters are to be read from topics. */
    boolean areGiven() {
        return bootstrap != null;
    }

    /** Returns what is wrong with the options; empty when nothing is. */
    String complaint(boolean hasFile) {
        boolean others =
                !topics.isEmpty() || eventName != null || group != null || fromBeginning || clientConfig != null;
        if (bootstrap == null) {
            return others
                    ? "--topic, --event-name, --group, --from-beginning and --client-config need --kafka BOOTSTRAP"
                    : "";
        }
        if (hasFile) {
            return "FILE and --kafka exclude each other: letters come from a file or from topics";
        }
        return topics.isEmpty() ? "--kafka needs at least one --topic with dead letters" : "";
    }

    String describe() {
        return "topics " + String.join(", ", topics) + " of " + bootstrap;
    }

    /**
     * Opens the topics.
     *
     * @throws IllegalArgumentException for an option that cannot be
     * @throws IllegalStateException if a topic does not exist
     */
    LetterReader open() {
        LetterReader.Builder reader = LetterReader.builder();
        readConfig().forEach((key, value) -> reader.client(String.valueOf(key), value));
        if (bootstrap != null) {
            reader.bootstrap(bootstrap);
        }
        if (group != null) {
            reader.group(group);
        }
        if (eventName != null) {
            reader.mapping(RecordMapping.named(eventName));
        }
        return reader.topics(topics).fromBeginning(fromBeginning).open();
    }

    private Properties readConfig() {
        Properties settings = new Properties();
        if (clientConfig != null) {
            try (Reader file = Files.newBufferedReader(clientConfig)) {
                settings.load(file);
            } catch (IOException e) {
                throw new IllegalArgumentException("--client-config cannot be read: " + e, e);
            }
        }
        return settings;
    }
}
