package io.redrive.jdbc;

import io.redrive.events.journal.FinishedEvent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Packs finished events into bytes. Numbers have seven bits in each byte, and the first number is the version of the
 * format. A text that occurs again in the same pack is written as a reference to its first occurrence: names, sources and
 * nodes repeat. Times are differences from the event before.
 */
final class PackedEvents {

    private static final int VERSION = 1;
    private static final int ROOM = 128;

    private byte[] bytes;
    private int size;
    private final Map<String, Integer> texts = new HashMap<>();

    private PackedEvents(int events) {
        bytes = new byte[ROOM * (events + 1)];
    }

    static byte[] pack(List<FinishedEvent> events) {
        PackedEvents pack = new PackedEvents(events.size());
        pack.number(VERSION);
        pack.number(events.size());
        long finished = 0;
        long created = 0;
        long origin = 0;
        for (FinishedEvent event : events) {
            pack.text(event.id());
            pack.text(event.correlationId().orElse(""));
            pack.optional(event.orderingKey());
            pack.repeated(event.name());
            pack.repeated(event.source());
            pack.repeated(event.node());
            pack.signed(event.origin() - origin);
            pack.signed(Micros.of(event.created()) - created);
            pack.signed(Micros.of(event.finished()) - finished);
            pack.number(event.failed());
            pack.number(event.interrupted());
            pack.number(event.crashed());
            pack.number(event.redrives());
            pack.number(Math.max(0, EventRows.nanos(event.duration())));
            origin = event.origin();
            created = Micros.of(event.created());
            finished = Micros.of(event.finished());
        }
        return Arrays.copyOf(pack.bytes, pack.size);
    }

    private void number(long value) {
        require(10);
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            bytes[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
    }

    /** Small differences of either sign become small numbers. */
    private void signed(long value) {
        number(value << 1 ^ value >> 63);
    }

    private void text(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        number(utf8.length);
        require(utf8.length);
        System.arraycopy(utf8, 0, bytes, size, utf8.length);
        size += utf8.length;
    }

    private void optional(Optional<String> text) {
        number(text.isPresent() ? 1 : 0);
        text.ifPresent(this::text);
    }

    /** Writes 0 and the text at its first occurrence, otherwise the number of the text. */
    private void repeated(String text) {
        Integer known = texts.get(text);
        if (known != null) {
            number(known);
            return;
        }
        number(0);
        text(text);
        texts.put(text, texts.size() + 1);
    }

    private void require(int more) {
        if (size + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
        }
    }

    /**
     * Returns the packed events, in order.
     *
     * @throws IllegalArgumentException when the bytes are no pack of this version
     */
    static List<FinishedEvent> unpack(byte[] packed) {
        try {
            return new Reader(packed).events();
        } catch (IndexOutOfBoundsException e) {
            throw new IllegalArgumentException("a pack of finished events ends too early", e);
        }
    }

    /** Reads one pack. */
    private static final class Reader {
        private final byte[] bytes;
        private final List<String> texts = new ArrayList<>();
        private int at;

        Reader(byte[] bytes) {
            this.bytes = bytes;
        }

        List<FinishedEvent> events() {
            long version = number();
            if (version != VERSION) {
                throw new IllegalArgumentException(
                        "a pack of finished events must have version " + VERSION + ", got " + version);
            }
            int count = (int) number();
            List<FinishedEvent> events = new ArrayList<>(Math.min(count, bytes.length));
            long finished = 0;
            long created = 0;
            long origin = 0;
            for (int i = 0; i < count; i++) {
                String id = text();
                String correlation = text();
                Optional<String> key = number() == 1 ? Optional.of(text()) : Optional.empty();
                String name = repeated();
                String source = repeated();
                String node = repeated();
                origin += signed();
                created += signed();
                finished += signed();
                events.add(new FinishedEvent(
                        id,
                        Optional.ofNullable(EventRows.nullIfEmpty(correlation)),
                        key,
                        name,
                        source,
                        origin,
                        Micros.toInstant(created),
                        Micros.toInstant(finished),
                        (int) number(),
                        (int) number(),
                        (int) number(),
                        (int) number(),
                        node,
                        Duration.ofNanos(number())));
            }
            return events;
        }

        private long number() {
            long value = 0;
            int shift = 0;
            byte next = bytes[at++];
            while (next < 0) {
                value |= (long) (next & 0x7F) << shift;
                shift += 7;
                next = bytes[at++];
            }
            return value | (long) next << shift;
        }

        private long signed() {
            long value = number();
            return value >>> 1 ^ -(value & 1);
        }

        private String text() {
            int length = (int) number();
            String text = new String(bytes, at, length, StandardCharsets.UTF_8);
            at += length;
            return text;
        }

        private String repeated() {
            int known = (int) number();
            if (known > 0) {
                return texts.get(known - 1);
            }
            String text = text();
            texts.add(text);
            return text;
        }
    }
}
