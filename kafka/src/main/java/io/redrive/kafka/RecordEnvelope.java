package io.redrive.kafka;

import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a record lossless in an event. The place and a textual key are headers of the event. Headers of the record become headers
 * of the event where both have the same rules. Only a record that has more (a null value, a binary key, headers that are binary,
 * null, long or there twice) also gets the header {@link Event#RECORD_HEADER} with these parts.
 */
final class RecordEnvelope {

    /** The header with topic, partition and offset. */
    static final String PLACE = "kafka-place";
    /** The header with the key, when the key is text. */
    static final String KEY = "kafka-key";

    /** The header with the place of a dead letter that was imported from a topic. */
    static final String LETTER_PLACE = "kafka-letter-place";

    private static final int MAX_PLAIN = Event.MAX_HEADERS - 4;
    private static final int MAX_NAME = 200;
    /** The most bytes whose Base64 form fits into {@link Event#RECORD_HEADER}. */
    private static final int MAX_PACKED = Event.MAX_RECORD_LENGTH / 4 * 3;

    private RecordEnvelope() {}

    /** Adds the headers from which {@link #record} makes the record again. */
    static Event.Builder wrap(Event.Builder event, KafkaRecord record) {
        event.header(PLACE, record.place());
        Optional<String> key = record.key().flatMap(RecordEnvelope::plainText);
        boolean whole =
                record.value().isPresent() && key.isPresent() == record.key().isPresent();
        if (!record.headers().isEmpty()) {
            whole &= addPlainHeaders(event, record);
        }
        key.ifPresent(text -> event.header(KEY, text));
        if (whole) {
            return event;
        }
        byte[] rest = packed(record);
        if (rest.length > MAX_PACKED) {
            throw new IllegalArgumentException("key and headers of a record must be at most " + MAX_PACKED
                    + " bytes, got " + rest.length + "; keep large data in the value");
        }
        return event.header(Event.RECORD_HEADER, Base64.getEncoder().encodeToString(rest));
    }

    /** Like {@link #wrap}; too large keys and headers are left out, and the event is marked as redacted. */
    static Event.Builder wrapFitting(Event.Builder event, KafkaRecord record) {
        try {
            return wrap(event, record);
        } catch (IllegalArgumentException tooLarge) {
            return event.header(DeadLetter.REDACTED_HEADER, "headers");
        }
    }

    /** Returns false when a header needs the envelope. */
    private static boolean addPlainHeaders(Event.Builder event, KafkaRecord record) {
        boolean whole = true;
        Map<String, String> plain = new LinkedHashMap<>();
        for (KafkaRecord.Header header : record.headers()) {
            Optional<String> text = header.value().flatMap(RecordEnvelope::plainText);
            boolean fits = text.isPresent() && isPlainName(header.name()) && plain.size() < MAX_PLAIN;
            whole &= fits && !plain.containsKey(header.name());
            if (fits) {
                plain.put(header.name(), text.get());
            }
        }
        event.headers(plain);
        return whole;
    }

    private static boolean isPlainName(String name) {
        return !name.isBlank()
                && name.length() <= MAX_NAME
                && name.chars().noneMatch(c -> Character.isISOControl(c) || Character.isSurrogate((char) c))
                && !name.equals(PLACE)
                && !name.equals(KEY)
                && !name.equals(LETTER_PLACE)
                && !name.startsWith("redrive-");
    }

    /** Returns bytes as text when an event's header keeps them unchanged. */
    static Optional<String> plainText(byte[] bytes) {
        if (bytes.length > Event.MAX_HEADER_LENGTH) {
            return Optional.empty();
        }
        if (isAscii(bytes)) {
            return Optional.of(new String(bytes, StandardCharsets.ISO_8859_1));
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return text.indexOf('\0') >= 0 ? Optional.empty() : Optional.of(text);
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    /** Most keys are ASCII, for which a decoder costs more than the rest of the event. NUL counts as no ASCII. */
    private static boolean isAscii(byte[] bytes) {
        for (byte each : bytes) {
            if (each <= 0) {
                return false;
            }
        }
        return true;
    }

    private static byte[] packed(KafkaRecord record) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeBoolean(record.value().isPresent());
            write(out, record.key().orElse(null));
            out.writeInt(record.headers().size());
            for (KafkaRecord.Header header : record.headers()) {
                write(out, header.name().getBytes(StandardCharsets.UTF_8));
                write(out, header.value().orElse(null));
            }
        } catch (IOException e) {
            throw new AssertionError("bytes in memory are always written", e);
        }
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, byte @Nullable [] part) throws IOException {
        out.writeInt(part == null ? -1 : part.length);
        if (part != null) {
            out.write(part);
        }
    }

    private static Optional<byte[]> read(DataInputStream in) throws IOException {
        int length = in.readInt();
        return length < 0 ? Optional.empty() : Optional.of(in.readNBytes(length));
    }

    static Optional<KafkaRecord> record(Event event) {
        @Nullable String place = event.headers().get(PLACE);
        if (place == null || !place.matches(".+/\\d{1,9}@\\d{1,18}")) {
            return Optional.empty();
        }
        int at = place.lastIndexOf('@');
        int slash = place.lastIndexOf('/', at);
        KafkaRecord plain = new KafkaRecord(
                place.substring(0, slash),
                Integer.parseInt(place.substring(slash + 1, at)),
                Long.parseLong(place.substring(at + 1)),
                event.created(),
                Optional.ofNullable(event.headers().get(KEY)).map(RecordEnvelope::bytes),
                Optional.of(event.payload()),
                plainHeaders(event));
        @Nullable String rest = event.headers().get(Event.RECORD_HEADER);
        return Optional.of(rest == null ? plain : unpacked(plain, rest));
    }

    private static List<KafkaRecord.Header> plainHeaders(Event event) {
        Map<String, String> headers = new HashMap<>(event.headers());
        List<KafkaRecord.Header> plain = new ArrayList<>();
        event.headers().forEach((name, value) -> {
            if (isPlainName(name) && headers.containsKey(name)) {
                plain.add(new KafkaRecord.Header(name, Optional.of(bytes(value))));
            }
        });
        return plain;
    }

    /** Without a readable envelope, for example after a redaction, the record has the plain parts alone. */
    private static KafkaRecord unpacked(KafkaRecord plain, String rest) {
        try (DataInputStream in =
                new DataInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(rest)))) {
            boolean hasValue = in.readBoolean();
            Optional<byte[]> key = read(in);
            List<KafkaRecord.Header> headers = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                String name = new String(read(in).orElseThrow(IOException::new), StandardCharsets.UTF_8);
                headers.add(new KafkaRecord.Header(name, read(in)));
            }
            return new KafkaRecord(
                    plain.topic(),
                    plain.partition(),
                    plain.offset(),
                    plain.timestamp(),
                    key,
                    hasValue ? plain.value() : Optional.empty(),
                    headers);
        } catch (IOException | IllegalArgumentException e) {
            return plain;
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
