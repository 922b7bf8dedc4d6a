package io.redrive.events;

import io.redrive.core.Time;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Something that happened and must be handled. Immutable. What is not given gets a default: an id (UUID v7), priority
 * {@code normal}, content type {@code application/octet-stream}, due at once.
 *
 * <pre>{@code
 * Event paid = Event.named("order.paid").source("shop").correlationId("order-17").json("{\"total\": 12}").build();
 * }</pre>
 */
public final class Event {

    /** Headers allowed on one event. */
    public static final int MAX_HEADERS = 64;
    /** Characters allowed in one header's value. */
    public static final int MAX_HEADER_LENGTH = 2_000;

    private final String id;
    private final String name;
    private final String source;
    private final Priority priority;
    private final String correlationId;
    private final String orderingKey;
    private final byte[] payload;
    private final String contentType;
    private final Map<String, String> headers;
    private final Instant created;
    private final Instant due;
    private final Instant deadline;

    private Event(Builder builder) {
        name = EventName.require(builder.name);
        source = Texts.require("source", builder.source);
        priority = Objects.requireNonNull(builder.priority, "priority");
        created = micros(builder.created == null ? builder.time.now() : builder.created);
        id = builder.id == null ? UuidV7.next(builder.time).toString() : Texts.require("id", builder.id);
        correlationId = Texts.requireIfPresent("correlationId", builder.correlationId);
        orderingKey = Texts.requireIfPresent("orderingKey", builder.orderingKey);
        payload = builder.payload;
        contentType = Texts.require("contentType", builder.contentType);
        headers = builder.headers.isEmpty()
                ? Map.of()
                : Collections.unmodifiableMap(new LinkedHashMap<>(builder.headers));
        due = micros(dueOf(builder));
        deadline = builder.deadline == null ? null : micros(builder.deadline);
        requireHeaders();
        if (deadline != null && !deadline.isAfter(due)) {
            throw new IllegalArgumentException("deadline must be after due " + due + ", got " + deadline);
        }
    }

    /** Starts an event with this name. */
    public static Builder named(String name) {
        return new Builder(name);
    }

    /** Unique together with {@link #correlationId()}: publishing both again is a duplicate. */
    public String id() {
        return id;
    }

    /** Dotted, such as {@code ml.run.started}; handlers and retry budgets are chosen by it. */
    public String name() {
        return name;
    }

    /** Who published it; events of one source are batched together. */
    public String source() {
        return source;
    }

    /** How urgent it is. */
    public Priority priority() {
        return priority;
    }

    /** Ties events of one business transaction together. */
    public Optional<String> correlationId() {
        return Optional.ofNullable(correlationId);
    }

    /** Events with the same key are handled one after the other, in the order of publishing. */
    public Optional<String> orderingKey() {
        return Optional.ofNullable(orderingKey);
    }

    /** A copy of the payload. */
    public byte[] payload() {
        return payload.clone();
    }

    /** Size of the payload in bytes. */
    public int payloadSize() {
        return payload.length;
    }

    /** The payload as UTF-8 text. */
    public String text() {
        return new String(payload, StandardCharsets.UTF_8);
    }

    /** Media type of the payload. */
    public String contentType() {
        return contentType;
    }

    /** Free key-value pairs that travel along. */
    public Map<String, String> headers() {
        return headers;
    }

    /** When it was made. */
    public Instant created() {
        return created;
    }

    /** Not handled before this moment. */
    public Instant due() {
        return due;
    }

    /** Not handled after this moment: it dead-letters instead. */
    public Optional<Instant> deadline() {
        return Optional.ofNullable(deadline);
    }

    /** What makes a duplicate: id and correlation id. */
    public String idempotencyKey() {
        return correlationId == null ? id : id + ":" + correlationId;
    }

    /** A builder that starts from this event, its id included. */
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
    public boolean equals(Object other) {
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

    private void requireHeaders() {
        if (headers.size() > MAX_HEADERS) {
            throw new IllegalArgumentException(
                    "headers must be at most " + MAX_HEADERS + " entries, got " + headers.size());
        }
        headers.forEach((key, value) -> {
            Texts.require("header name", key);
            if (value == null || value.length() > MAX_HEADER_LENGTH || !Texts.isWellFormed(value)) {
                throw new IllegalArgumentException("header '" + key + "' must be at most " + MAX_HEADER_LENGTH
                        + " characters of well-formed text, got " + Texts.shown(value));
            }
        });
    }

    private Instant dueOf(Builder builder) {
        if (builder.due != null) {
            return builder.due;
        }
        return builder.delay == null ? created : created.plus(builder.delay);
    }

    /** Stores keep microseconds; cutting here keeps an event equal to what is read back. */
    private static Instant micros(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MICROS);
    }

    /** Builds an {@link Event}; a bad value is refused by {@link #build()} with field, rule and value. */
    public static final class Builder {
        private final String name;
        private String id;
        private String source;
        private Priority priority = Priority.NORMAL;
        private String correlationId;
        private String orderingKey;
        private byte[] payload = {};
        private String contentType = "application/octet-stream";
        private final Map<String, String> headers = new LinkedHashMap<>();
        private Instant created;
        private Instant due;
        private Duration delay;
        private Instant deadline;
        private Time time = Time.system();

        private Builder(String name) {
            this.name = name;
        }

        /** An id of your own instead of a generated one. */
        public Builder id(String value) {
            id = value;
            return this;
        }

        /** Who publishes it; required. */
        public Builder source(String value) {
            source = value;
            return this;
        }

        /** How urgent it is. */
        public Builder priority(Priority value) {
            priority = value;
            return this;
        }

        /** The business transaction it belongs to. */
        public Builder correlationId(String value) {
            correlationId = value;
            return this;
        }

        /** Keeps the order among events with the same key. */
        public Builder orderingKey(String value) {
            orderingKey = value;
            return this;
        }

        /** The payload, copied. */
        public Builder payload(byte[] bytes, String type) {
            payload = bytes.clone();
            return contentType(type);
        }

        /**
         * A JSON payload.
         *
         * @throws IllegalArgumentException when {@code json} is no JSON, with the line and column of the mistake
         */
        public Builder json(String json) {
            JsonPayload.complaint(json).ifPresent(complaint -> {
                throw new IllegalArgumentException("payload of event '" + name + "' must be JSON: " + complaint
                        + "; for other text use text(…), for bytes payload(…)");
            });
            return payload(json.getBytes(StandardCharsets.UTF_8), "application/json");
        }

        /** A plain text payload. */
        public Builder text(String text) {
            return payload(text.getBytes(StandardCharsets.UTF_8), "text/plain");
        }

        /** The media type alone. */
        public Builder contentType(String value) {
            contentType = value;
            return this;
        }

        /** One more header. */
        public Builder header(String key, String value) {
            headers.put(key, value);
            return this;
        }

        /** These headers too. */
        public Builder headers(Map<String, String> more) {
            headers.putAll(more);
            return this;
        }

        /** When it was made, instead of now. */
        public Builder created(Instant value) {
            created = value;
            return this;
        }

        /** Not to be handled before this moment. */
        public Builder due(Instant value) {
            due = value;
            return this;
        }

        /** Not to be handled before this much time has passed since it was made. */
        public Builder delay(Duration value) {
            delay = value;
            return this;
        }

        /** Not to be handled after this moment. */
        public Builder deadline(Instant value) {
            deadline = value;
            return this;
        }

        /** The clock for {@code created} and the id, for tests. */
        public Builder time(Time clock) {
            time = clock;
            return this;
        }

        /** The event. */
        public Event build() {
            return new Event(this);
        }
    }
}
