package io.redrive.events;

import io.redrive.core.Time;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A fact that happened and must be handled. Immutable. Defaults: a generated id (UUID v7), priority {@code normal},
 * content type {@code application/octet-stream}, due at once.
 *
 * <pre>{@code
 * Event paid = Event.named("order.paid").source("shop").correlationId("order-17").json("{\"total\": 12}").build();
 * }</pre>
 */
public final class Event {

    /** The most headers of an event. */
    public static final int MAX_HEADERS = 64;
    /** The most characters of a header's value. */
    public static final int MAX_HEADER_LENGTH = 2_000;
    /**
     * The header with the parts of a record of another system that an event has no field for, as text. Written by the module that
     * made the event of the record; neither counted nor limited like the headers of a publisher.
     */
    public static final String RECORD_HEADER = "redrive-record";
    /** The most characters of {@link #RECORD_HEADER}. */
    public static final int MAX_RECORD_LENGTH = 2_000_000;

    private static final String OCTETS = "application/octet-stream";

    private final String id;
    private final String name;
    private final String source;
    private final Priority priority;
    private final @Nullable String correlationId;
    private final @Nullable String orderingKey;
    private final byte[] payload;
    private final String contentType;
    private final Map<String, String> headers;
    private final Instant created;
    private final Instant due;
    private final @Nullable Instant deadline;

    private Event(Builder builder) {
        name = EventName.require(builder.name);
        source = Texts.require("source", builder.source);
        priority = Objects.requireNonNull(builder.priority, "priority");
        created = micros(builder.created == null ? builder.time.now() : builder.created);
        id = builder.id == null ? UuidV7.next(builder.time).toString() : Texts.require("id", builder.id);
        correlationId = Texts.requireIfPresent("correlationId", builder.correlationId);
        orderingKey = Texts.requireIfPresent("orderingKey", builder.orderingKey);
        payload = builder.payload;
        contentType = OCTETS.equals(builder.contentType) ? OCTETS : Texts.require("contentType", builder.contentType);
        headers = EventHeaders.of(builder.headers).require();
        due = dueOf(builder);
        deadline = builder.deadline == null ? null : micros(builder.deadline);
        if (deadline != null && !deadline.isAfter(due)) {
            throw new IllegalArgumentException("deadline must be after due " + due + ", got " + deadline);
        }
    }

    /** Returns a builder for an event with this name. */
    public static Builder named(String name) {
        return new Builder(name);
    }

    /** Returns the id. Publishing the same id and {@link #correlationId()} again is a duplicate. */
    public String id() {
        return id;
    }

    /**
     * Returns the dotted name, for example {@code ml.run.started}, which selects handlers, policies and retry
     * budgets.
     */
    public String name() {
        return name;
    }

    /** Returns the publisher. Only events of the same source share a batch. */
    public String source() {
        return source;
    }

    /** Returns the priority. */
    public Priority priority() {
        return priority;
    }

    /** Returns the id of the business transaction of this event. */
    public Optional<String> correlationId() {
        return Optional.ofNullable(correlationId);
    }

    /**
     * Returns the ordering key. Events with the same key are handled one after another, in the order of publishing.
     */
    public Optional<String> orderingKey() {
        return Optional.ofNullable(orderingKey);
    }

    /** Returns a copy of the payload. */
    public byte[] payload() {
        return payload.clone();
    }

    /** Size of the payload in bytes. */
    public int payloadSize() {
        return payload.length;
    }

    /** Returns the payload as UTF-8 text. */
    public String text() {
        return new String(payload, StandardCharsets.UTF_8);
    }

    /** Media type of the payload. */
    public String contentType() {
        return contentType;
    }

    /** Returns the headers: key-value pairs of the publisher. */
    public Map<String, String> headers() {
        return headers;
    }

    /** Returns the creation time. */
    public Instant created() {
        return created;
    }

    /** Returns the time before which the event is not handled. */
    public Instant due() {
        return due;
    }

    /** Returns the time after which the event is not handled but becomes a dead letter. */
    public Optional<Instant> deadline() {
        return Optional.ofNullable(deadline);
    }

    /** Returns the key by which a store detects duplicates: id and correlation id. */
    public String idempotencyKey() {
        return correlationId == null ? id : id + ":" + correlationId;
    }

    /** Returns a builder that starts from this event, including the id. */
    public Builder toBuilder() {
        Builder builder = new Builder(name)
                .id(id)
                .source(source)
                .priority(priority)
                .contentType(contentType)
                .headers(headers)
                .created(created)
                .due(due);
        builder.correlationId = correlationId;
        builder.orderingKey = orderingKey;
        builder.payload = payload;
        builder.deadline = deadline;
        return builder;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Event that
                && id.equals(that.id)
                && name.equals(that.name)
                && source.equals(that.source)
                && priority == that.priority
                && Objects.equals(correlationId, that.correlationId)
                && Objects.equals(orderingKey, that.orderingKey)
                && Arrays.equals(payload, that.payload)
                && contentType.equals(that.contentType)
                && headers.equals(that.headers)
                && created.equals(that.created)
                && due.equals(that.due)
                && Objects.equals(deadline, that.deadline);
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }

    /** Name and id, never the payload: events end up in logs. */
    @Override
    public String toString() {
        return name + " " + id;
    }

    private Instant dueOf(Builder builder) {
        if (builder.due != null) {
            return micros(builder.due);
        }
        return builder.delay == null ? created : micros(created.plus(builder.delay));
    }

    /** Stores keep microseconds; cutting the rest keeps an event equal to its stored copy. */
    private static Instant micros(Instant instant) {
        return instant.getNano() % 1_000 == 0 ? instant : instant.truncatedTo(ChronoUnit.MICROS);
    }

    /** Builds an {@link Event}; a bad value is refused by {@link #build()} with field, rule and value. */
    public static final class Builder {
        private static final int FEW_HEADERS = 4;

        private final String name;
        private @Nullable String id;
        private @Nullable String source;
        private Priority priority = Priority.NORMAL;
        private @Nullable String correlationId;
        private @Nullable String orderingKey;
        private byte[] payload = {};
        private String contentType = OCTETS;
        /** A map that may change once there are more than {@link #FEW_HEADERS}. */
        private Map<String, String> headers = EventHeaders.NONE;

        private @Nullable Instant created;
        private @Nullable Instant due;
        private @Nullable Duration delay;
        private @Nullable Instant deadline;
        private Time time = Time.system();

        private Builder(String name) {
            this.name = name;
        }

        /** Sets the id; null for a generated UUID v7. Default: generated. */
        public Builder id(@Nullable String value) {
            id = value;
            return this;
        }

        /** Sets the publisher; required. */
        public Builder source(String value) {
            source = value;
            return this;
        }

        /** Sets the priority. Default: normal. */
        public Builder priority(Priority value) {
            priority = value;
            return this;
        }

        /** Sets the id of the business transaction; null for none. Default: none. */
        public Builder correlationId(@Nullable String value) {
            correlationId = value;
            return this;
        }

        /** Sets the ordering key; null for none. Default: none, and the event is handled in any order. */
        public Builder orderingKey(@Nullable String value) {
            orderingKey = value;
            return this;
        }

        /** Sets a copy of the payload, and the content type. Default: no bytes. */
        public Builder payload(byte[] bytes, String type) {
            payload = bytes.clone();
            return contentType(type);
        }

        /** Sets the payload without a copy, and the content type. The bytes must never change from now on. */
        public Builder payloadWithoutCopy(byte[] bytes, String type) {
            payload = bytes;
            return contentType(type);
        }

        /**
         * Sets a JSON payload and the content type {@code application/json}.
         *
         * @throws IllegalArgumentException if {@code json} is not JSON, with line and column
         */
        public Builder json(String json) {
            JsonPayload.complaint(json).ifPresent(complaint -> {
                throw new IllegalArgumentException("payload of event '" + name + "' must be JSON: " + complaint
                        + "; for other text use text(…), for bytes payload(…)");
            });
            return payloadWithoutCopy(json.getBytes(StandardCharsets.UTF_8), "application/json");
        }

        /** Sets a text payload and the content type {@code text/plain}. */
        public Builder text(String text) {
            return payloadWithoutCopy(text.getBytes(StandardCharsets.UTF_8), "text/plain");
        }

        /** Sets the content type, and keeps the payload. Default: {@code application/octet-stream}. */
        public Builder contentType(String value) {
            contentType = value;
            return this;
        }

        /** Adds a header. */
        public Builder header(String key, String value) {
            if (headers instanceof EventHeaders few && few.size() < FEW_HEADERS) {
                headers = few.with(key, value);
            } else {
                growingHeaders().put(key, value);
            }
            return this;
        }

        /** Removes a header. */
        Builder withoutHeader(String key) {
            growingHeaders().remove(key);
            return this;
        }

        /** Adds headers. */
        public Builder headers(Map<String, String> more) {
            if (headers.isEmpty()) {
                headers = EventHeaders.of(more);
            } else {
                growingHeaders().putAll(more);
            }
            return this;
        }

        /** Returns a map that may change and that no event has. */
        private Map<String, String> growingHeaders() {
            if (headers instanceof EventHeaders) {
                headers = new LinkedHashMap<>(headers);
            }
            return headers;
        }

        /** Sets the creation time. Default: the time of {@link #build}. */
        public Builder created(Instant value) {
            created = value;
            return this;
        }

        /** Sets the time before which the event is not handled. Default: due at once. Replaces {@link #delay}. */
        public Builder due(Instant value) {
            due = value;
            return this;
        }

        /** Delays handling for this long after the creation time. Default: due at once. */
        public Builder delay(Duration value) {
            delay = value;
            return this;
        }

        /** Sets the time after which the event becomes a dead letter instead of being handled; null for none. Default: none. */
        public Builder deadline(@Nullable Instant value) {
            deadline = value;
            return this;
        }

        /** Sets the clock for {@code created} and the id, for tests. Default: {@link Time#system()}. */
        public Builder time(Time clock) {
            time = clock;
            return this;
        }

        /**
         * Returns the event.
         *
         * @throws IllegalArgumentException naming the field, the rule and the value
         */
        public Event build() {
            return new Event(this);
        }
    }
}
