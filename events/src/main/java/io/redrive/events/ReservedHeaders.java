package io.redrive.events;

import java.util.Map;
import java.util.Set;

/**
 * The headers of an event that Redrive alone writes: the place and the parts of a record of another system, and the mark of a
 * redaction. A publisher that could set these headers would choose where a dead letter is sent, or keep a letter from being redriven.
 * Requests and CloudEvents with such a header are refused; code of the same process may set all headers.
 */
public final class ReservedHeaders {

    /** The names. Those of records are written by the module for Kafka. */
    public static final Set<String> NAMES =
            Set.of(Event.RECORD_HEADER, DeadLetter.REDACTED_HEADER, "kafka-place", "kafka-key", "kafka-letter-place");

    private ReservedHeaders() {}

    /**
     * Refuses headers of a publisher.
     *
     * @throws IllegalArgumentException naming the header, the rule, the value and the remedy
     */
    public static void refuseIn(Map<String, String> headers) {
        headers.forEach(ReservedHeaders::refuse);
    }

    static void refuse(String name, String value) {
        if (NAMES.contains(name)) {
            throw new IllegalArgumentException("header '" + name + "' must not be set by a publisher, got "
                    + Texts.shown(value)
                    + ": Redrive writes this header itself; remove the header or choose another name");
        }
    }
}
