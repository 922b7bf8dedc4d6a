package io.redrive.spring;

import io.redrive.events.Event;
import java.lang.reflect.Type;

/** Payloads of events as objects. Text and bytes need no help; the rest is JSON, where the application has Jackson. */
interface Payloads {

    /** Reads the payload as {@code type}; what it throws says why that cannot be. */
    Object read(Event event, Type type);

    /** Puts {@code payload} into an event. */
    Event.Builder write(Event.Builder event, Object payload);

    /** Refuses a type that can never be read. */
    void require(Type type);

    /** Text and bytes alone. */
    final class Plain implements Payloads {

        private static final String REMEDY =
                "payloads other than String and byte[] need Jackson; add spring-boot-starter-jackson";

        @Override
        public Object read(Event event, Type type) {
            if (type == String.class) {
                return event.text();
            }
            if (type == byte[].class) {
                return event.payload();
            }
            throw new IllegalStateException(REMEDY);
        }

        @Override
        public Event.Builder write(Event.Builder event, Object payload) {
            if (payload instanceof String text) {
                return event.text(text);
            }
            if (payload instanceof byte[] bytes) {
                return event.payload(bytes, "application/octet-stream");
            }
            throw new IllegalArgumentException(
                    REMEDY + "; got " + payload.getClass().getName());
        }

        @Override
        public void require(Type type) {
            if (type != String.class && type != byte[].class) {
                throw new IllegalArgumentException(REMEDY + "; got " + type.getTypeName());
            }
        }
    }
}
