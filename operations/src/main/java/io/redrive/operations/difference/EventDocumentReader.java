package io.redrive.operations.difference;

import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.HandledEvent;
import io.redrive.operations.difference.Subject.Kind;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads letters and handled events as documents. Letters and handled events are treated alike: of both, only the first {@link
 * HandledEvent#MAX_PAYLOAD} bytes of the payload and {@link HandledEvent#MAX_HEADER} characters of a header count.
 *
 * <p>One reader reads all documents of a comparison. It bounds them together: subjects beyond {@link #MAX_SUBJECTS} are left out
 * of all documents that are read later, and count as unknown there. Not thread-safe.
 */
public final class EventDocumentReader {

    /** The most different subjects in all documents of a reader. */
    static final int MAX_SUBJECTS = 20_000;

    private static final List<Value> HOURS = IntStream.range(0, 24)
            .mapToObj(hour -> Value.word(String.format(Locale.ROOT, "%02d:00 and %02d:00 UTC", hour, (hour + 1) % 24)))
            .toList();

    private final Map<Subject, Subject> known = new HashMap<>();

    /** Creates a reader for one comparison. */
    public EventDocumentReader() {}

    /**
     * Reads a letter; its node is the node of the last attempt in its history.
     *
     * @param event the event of the letter, as it died, with values replaced that must not be shown
     */
    public EventDocument letter(Event event, DeadLetter letter) {
        int attempts = letter.history().size();
        String node = attempts == 0 ? null : letter.history().get(attempts - 1).node();
        return read(HandledEvent.beginningOf(event), event.payloadSize(), letter.deadAt(), node);
    }

    /** Reads a handled event. */
    public EventDocument handled(HandledEvent handled) {
        return read(handled.event(), handled.payloadSize(), handled.handledAt(), handled.node());
    }

    private EventDocument read(Event event, int payloadSize, Instant at, @Nullable String node) {
        PayloadFields fields = new PayloadFields(event.payload(), payloadSize, this::interned);
        Map<Subject, List<Value>> values = fields.values();
        put(values, Kind.SOURCE, Value.word(event.source()));
        put(values, Kind.PRIORITY, Value.word(event.priority().code()));
        put(values, Kind.CONTENT_TYPE, Value.word(event.contentType()));
        put(values, Kind.SIZE, Value.size(payloadSize));
        put(values, Kind.TIME, Value.moment(at.getEpochSecond()));
        put(values, Kind.HOUR, HOURS.get(at.atOffset(ZoneOffset.UTC).getHour()));
        event.orderingKey().ifPresent(key -> put(values, Kind.ORDERING_KEY, Value.quoted(key)));
        if (node != null) {
            put(values, Kind.NODE, Value.word(node));
        }
        event.headers().forEach((name, value) -> {
            Subject header = interned(new Subject(Kind.HEADER, name));
            if (header != null) {
                values.put(header, List.of(Value.quoted(value)));
            }
        });
        put(values, Kind.PAYLOAD, Value.word(fields.kind()));
        return new EventDocument(values, fields.isComplete(), at);
    }

    private static void put(Map<Subject, List<Value>> values, Kind kind, Value value) {
        values.put(Subject.of(kind), List.of(value));
    }

    /** Returns the one object for equal subjects; null when there are too many subjects. */
    private @Nullable Subject interned(Subject subject) {
        Subject same = known.get(subject);
        if (same == null && known.size() < MAX_SUBJECTS) {
            known.put(subject, subject);
            same = subject;
        }
        return same;
    }
}
