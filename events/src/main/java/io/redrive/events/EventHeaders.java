package io.redrive.events;

import java.util.Map;

/** The rules for the headers of an event. */
final class EventHeaders {

    private EventHeaders() {}

    static Map<String, String> require(Map<String, String> headers) {
        if (headers.size() > Event.MAX_HEADERS) {
            requireFew(headers);
        }
        headers.forEach((key, value) -> {
            Texts.require("header name", key);
            int longest = key.equals(Event.RECORD_HEADER) ? Event.MAX_RECORD_LENGTH : Event.MAX_HEADER_LENGTH;
            if (value == null || value.length() > longest || !Texts.isWellFormed(value)) {
                throw new IllegalArgumentException("header '" + key + "' must be at most " + longest
                        + " characters of well-formed text, got " + Texts.shown(value));
            }
        });
        return headers;
    }

    /** The mark of a redacted event and the rest of a record are none of the publisher's headers. */
    private static void requireFew(Map<String, String> headers) {
        int counted = headers.size()
                - (headers.containsKey(DeadLetter.REDACTED_HEADER) ? 1 : 0)
                - (headers.containsKey(Event.RECORD_HEADER) ? 1 : 0);
        if (counted > Event.MAX_HEADERS) {
            throw new IllegalArgumentException(
                    "headers must be at most " + Event.MAX_HEADERS + " entries, got " + counted);
        }
    }
}
