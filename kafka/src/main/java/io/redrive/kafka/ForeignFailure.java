package io.redrive.kafka;

import io.redrive.core.Reason;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The failure that the headers of a record in a dead-letter topic tell about, whichever system wrote them: KIP-1191 and Redrive
 * ({@code __dlq.errors.*}), Kafka Streams ({@code __streams.errors.*}), Kafka Connect ({@code __connect.errors.*}), Spring Kafka
 * ({@code kafka_dlt-*}) and SmallRye ({@code dead-letter-*}). Of a record without such headers only the place is known.
 *
 * @param writer the system that wrote the record
 * @param original the record as it was before it failed: its place as far as known, and its headers without those of the failure
 * @param group the consumer group or the connector that gave up; the topic when unknown
 * @param attempts how often the record was handled; 1 when unknown
 * @param errorType the short name of the exception
 * @param message the message of the exception
 * @param reason the reason to give up
 * @param fingerprint the cause, when Redrive wrote the record
 */
record ForeignFailure(
        String writer,
        KafkaRecord original,
        String group,
        int attempts,
        String errorType,
        String message,
        Reason reason,
        Optional<String> fingerprint) {

    private static final int MAX_ATTEMPTS = 1_000_000;
    private static final String UNKNOWN = "unknown";
    /** The rule of Kafka for names of topics. */
    private static final String TOPIC = "[a-zA-Z0-9._-]{1,249}";

    /** One family of headers: a prefix, and the names behind it. */
    private record Family(
            String writer,
            String prefix,
            String place,
            List<String> group,
            List<String> type,
            List<String> message,
            List<String> attempts) {}

    private static final List<Family> FAMILIES = List.of(
            new Family(
                    "KIP-1191",
                    LetterHeaders.DLQ,
                    "",
                    List.of("group"),
                    List.of(),
                    List.of("message"),
                    List.of("delivery.count")),
            new Family(
                    "Kafka Streams",
                    "__streams.errors.",
                    "",
                    List.of(),
                    List.of("exception"),
                    List.of("message"),
                    List.of()),
            new Family(
                    "Kafka Connect",
                    "__connect.errors.",
                    "",
                    List.of("connector.name"),
                    List.of("exception.class.name"),
                    List.of("exception.message"),
                    List.of()),
            new Family(
                    "Spring Kafka",
                    LetterHeaders.SPRING,
                    "original-",
                    List.of("original-consumer-group"),
                    List.of("exception-cause-fqcn", "exception-fqcn", "key-exception-fqcn"),
                    List.of("exception-message", "key-exception-message"),
                    List.of()),
            new Family(
                    "SmallRye",
                    "dead-letter-",
                    "",
                    List.of(),
                    List.of("exception-class-name", "cause-class-name"),
                    List.of("reason", "cause"),
                    List.of()));

    /** Headers of Spring's retry topics and of Redrive, which belong to the failure too. */
    private static final List<String> FURTHER =
            List.of("retry_topic-", LetterHeaders.REASON, LetterHeaders.FINGERPRINT, LetterHeaders.LETTER);

    static ForeignFailure of(KafkaRecord found) {
        return FAMILIES.stream()
                .filter(family -> found.headers().stream()
                        .anyMatch(header -> header.name().startsWith(family.prefix())))
                .findFirst()
                .map(family -> of(found, family))
                .orElseGet(() -> new ForeignFailure(
                        "unknown writer",
                        found,
                        found.topic(),
                        1,
                        UNKNOWN,
                        "",
                        Reason.MAX_ATTEMPTS_EXCEEDED,
                        Optional.empty()));
    }

    private static ForeignFailure of(KafkaRecord found, Family family) {
        Function<String, Optional<String>> text = name -> found.text(family.prefix() + name);
        boolean binary = family.prefix().equals(LetterHeaders.SPRING);
        String place = family.prefix() + family.place();
        Optional<String> topic = found.text(place + "topic").filter(name -> name.matches(TOPIC));
        Optional<Long> partition = number(found, place + "partition", binary).filter(n -> n <= Integer.MAX_VALUE);
        Optional<Long> offset = number(found, place + "offset", binary);
        boolean known = topic.isPresent() && partition.isPresent() && offset.isPresent();
        KafkaRecord original = new KafkaRecord(
                known ? topic.get() : found.topic(),
                known ? partition.get().intValue() : found.partition(),
                known ? offset.get() : found.offset(),
                number(found, place + "timestamp", binary)
                        .map(Instant::ofEpochMilli)
                        .orElse(found.timestamp()),
                found.key(),
                found.value(),
                found.headers().stream()
                        .filter(header -> !isOfFailure(header.name(), family))
                        .toList());
        String exception = first(family.type(), text).orElse("");
        long attempts = family.attempts().isEmpty()
                ? number(found, "retry_topic-attempts", true).orElse(1L)
                : number(found, family.prefix() + family.attempts().get(0), false)
                        .orElse(1L);
        return new ForeignFailure(
                family.writer(),
                original,
                first(family.group(), text)
                        .map(name -> name.replaceAll("\\p{Cntrl}", " "))
                        .filter(name -> !name.isBlank())
                        .orElse(original.topic()),
                (int) Math.max(1, Math.min(MAX_ATTEMPTS, attempts)),
                shortType(exception),
                first(family.message(), text).orElse(exception),
                found.text(LetterHeaders.REASON)
                        .flatMap(ForeignFailure::reasonOf)
                        .orElse(Reason.MAX_ATTEMPTS_EXCEEDED),
                found.text(LetterHeaders.FINGERPRINT).filter(cause -> cause.matches("[\\w:.-]{1,100}")));
    }

    private static boolean isOfFailure(String header, Family family) {
        return header.startsWith(family.prefix()) || FURTHER.stream().anyMatch(header::startsWith);
    }

    private static Optional<String> first(List<String> names, Function<String, Optional<String>> text) {
        return names.stream()
                .map(text)
                .flatMap(Optional::stream)
                .filter(value -> !value.isBlank())
                .findFirst();
    }

    /** Returns {@code IOException} for {@code java.io.IOException} and for {@code java.io.IOException: reset}. */
    private static String shortType(String exception) {
        String type = exception.split(":", 2)[0].strip();
        String name = type.substring(Math.max(type.lastIndexOf('.'), type.lastIndexOf('$')) + 1);
        return name.isEmpty() ? UNKNOWN : name;
    }

    private static Optional<Reason> reasonOf(String code) {
        return Stream.of(Reason.values())
                .filter(reason -> reason.code().equals(code))
                .findFirst();
    }

    /** Returns a number that is not negative. Spring writes 4 or 8 bytes, all others write digits. */
    private static Optional<Long> number(KafkaRecord record, String header, boolean binary) {
        Optional<byte[]> bytes = record.headers().stream()
                .filter(each -> each.name().equals(header))
                .reduce((first, second) -> second)
                .flatMap(KafkaRecord.Header::value);
        return bytes.flatMap(value -> binary ? ofBytes(value) : ofDigits(value)).filter(n -> n >= 0);
    }

    private static Optional<Long> ofBytes(byte[] value) {
        return switch (value.length) {
            case Integer.BYTES -> Optional.of((long) ByteBuffer.wrap(value).getInt());
            case Long.BYTES -> Optional.of(ByteBuffer.wrap(value).getLong());
            default -> ofDigits(value);
        };
    }

    private static Optional<Long> ofDigits(byte[] value) {
        String text = new String(value, StandardCharsets.UTF_8);
        return text.matches("\\d{1,18}") ? Optional.of(Long.parseLong(text)) : Optional.empty();
    }
}
