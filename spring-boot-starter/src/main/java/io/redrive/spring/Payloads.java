package io.redrive.spring;

import io.redrive.events.Event;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes payloads of events as objects: text and bytes as such, all further types as JSON where the application
 * has Jackson.
 */
interface Payloads {

    /** Returns the payload as {@code type}; throws a {@code RuntimeException} for an unreadable payload. */
    @Nullable
    Object read(Event event, Type type);

    /** Sets {@code payload} as the payload of {@code event}. */
    Event.Builder write(Event.Builder event, Object payload);

    /** Throws {@code IllegalArgumentException} if no payload can be read as {@code type}. */
    void require(Type type);

    /** Supports only text and bytes. */
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
