package io.redrive.events;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Converts an event to the attributes of a CloudEvent 1.0 and back, without the CloudEvents SDK: the attributes that
 * a protocol binding (HTTP headers, Kafka headers, JSON) writes and reads beside the data. {@code type} is the
 * event's name, {@code time} its creation time; {@code correlationid}, {@code orderingkey}, {@code priority}, {@code
 * due} and {@code deadline} are extensions. Headers become extensions, and further attributes of a CloudEvent ({@code
 * subject}, {@code traceparent}, …) become headers.
 *
 * <p>Every event survives the round trip, also where CloudEvents is stricter. A CloudEvent's {@code source} is a URI
 * reference: any other source is written as {@code urn:redrive:source:} and the percent-encoded text. Attribute names
 * are lower-case letters and digits, and values have no control characters: any other header is written as {@code
 * rdh} and the name in hexadecimal, with the value percent-encoded. Only the headers that Redrive writes itself ({@link
 * ReservedHeaders}) are left out, and a CloudEvent that has one is refused.
 */
public final class CloudEventAttributes {

    private static final String SOURCE_PREFIX = "urn:redrive:source:";
    private static final String HEADER_PREFIX = "rdh";
    private static final Pattern ATTRIBUTE_NAME = Pattern.compile("[a-z0-9]+");
    private static final Set<String> MAPPED = Set.of(
            "specversion",
            "id",
            "source",
            "type",
            "time",
            "datacontenttype",
            "data",
            "correlationid",
            "orderingkey",
            "priority",
            "due",
            "deadline");

    private CloudEventAttributes() {}

    /**
     * Returns the attributes of {@code event}, the required attributes first. The CloudEvent's data is the payload.
     */
    public static Map<String, String> of(Event event) {
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("specversion", "1.0");
        attributes.put("id", event.id());
        attributes.put("source", encodedSource(event.source()));
        attributes.put("type", event.name());
        attributes.put("time", event.created().toString());
        attributes.put("datacontenttype", event.contentType());
        attributes.put("priority", event.priority().code());
        event.correlationId().ifPresent(value -> attributes.put("correlationid", value));
        event.orderingKey().ifPresent(value -> attributes.put("orderingkey", value));
        if (!event.due().equals(event.created())) {
            attributes.put("due", event.due().toString());
        }
        event.deadline().ifPresent(value -> attributes.put("deadline", value.toString()));
        event.headers().forEach((name, value) -> {
            if (!ReservedHeaders.NAMES.contains(name)) {
                putHeader(attributes, name, value);
            }
        });
        return attributes;
    }

    /**
     * Returns the event of a CloudEvent.
     *
     * @param attributes the attributes, extensions included, names in lower case
     * @param data the data
     * @param now the time of arrival, which is the creation time of a CloudEvent without {@code time}
     * @throws IllegalArgumentException naming the attribute, its value and the rule
     */
    public static Event toEvent(Map<String, String> attributes, byte[] data, Instant now) {
        String version = required(attributes, "specversion");
        if (!version.equals("1.0")) {
            throw new IllegalArgumentException(
                    "CloudEvents attribute specversion must be 1.0, got " + Texts.shown(version));
        }
        Instant created = read(attributes, "time", CloudEventAttributes::time).orElse(now);
        Event.Builder event = Event.named(required(attributes, "type"))
                .id(required(attributes, "id"))
                .source(decodedSource(required(attributes, "source")))
                .priority(read(attributes, "priority", Priority::of).orElse(Priority.NORMAL))
                .correlationId(attributes.get("correlationid"))
                .orderingKey(attributes.get("orderingkey"))
                .payload(data, attributes.getOrDefault("datacontenttype", "application/octet-stream"))
                .created(created)
                .due(read(attributes, "due", CloudEventAttributes::time).orElse(created))
                .deadline(
                        read(attributes, "deadline", CloudEventAttributes::time).orElse(null));
        attributes.forEach((name, value) -> {
            if (!MAPPED.contains(name)) {
                addHeader(event, name, value);
            }
        });
        return event.build();
    }

    private static void putHeader(Map<String, String> attributes, String name, String value) {
        boolean plain = ATTRIBUTE_NAME.matcher(name).matches()
                && !MAPPED.contains(name)
                && !name.startsWith(HEADER_PREFIX)
                && value.chars().noneMatch(Character::isISOControl)
                && (!name.equals("dataschema") || isUriReference(value));
        if (plain) {
            attributes.put(name, value);
        } else {
            attributes.put(HEADER_PREFIX + HexFormat.of().formatHex(bytes(name)), encoded(value));
        }
    }

    private static void addHeader(Event.Builder event, String name, String value) {
        if (!name.startsWith(HEADER_PREFIX)) {
            ReservedHeaders.refuse(name, value);
            event.header(name, value);
            return;
        }
        try {
            byte[] hidden = HexFormat.of().parseHex(name.substring(HEADER_PREFIX.length()));
            String header = new String(hidden, StandardCharsets.UTF_8);
            ReservedHeaders.refuse(header, value);
            event.header(header, decoded(value));
        } catch (IllegalArgumentException e) {
            throw refused(name, value, e);
        }
    }

    private static String encodedSource(String source) {
        boolean plain = isUriReference(source) && !source.startsWith(SOURCE_PREFIX);
        return plain ? source : SOURCE_PREFIX + encoded(source);
    }

    private static String decodedSource(String source) {
        if (!source.startsWith(SOURCE_PREFIX)) {
            return source;
        }
        try {
            return decoded(source.substring(SOURCE_PREFIX.length()));
        } catch (IllegalArgumentException e) {
            throw refused("source", source, e);
        }
    }

    /** The JDK's parser accepts letters beyond ASCII, which a URI must not have. */
    private static boolean isUriReference(String text) {
        try {
            new URI(text);
            return text.chars().allMatch(c -> c < 0x80);
        } catch (URISyntaxException e) {
            return false;
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Instant time(String text) {
        return OffsetDateTime.parse(text).toInstant();
    }

    private static String required(Map<String, String> attributes, String name) {
        String value = attributes.get(name);
        if (value == null || value.isEmpty()) {
            throw new IllegalArgumentException("CloudEvents attribute " + name + " is missing");
        }
        return value;
    }

    private static <T> Optional<T> read(Map<String, String> attributes, String name, Function<String, T> from) {
        String value = attributes.get(name);
        try {
            return Optional.ofNullable(value).map(from);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw refused(name, value, e);
        }
    }

    private static IllegalArgumentException refused(String name, @Nullable String value, RuntimeException why) {
        return new IllegalArgumentException(
                "CloudEvents attribute " + name + " cannot be " + Texts.shown(value) + ": " + why.getMessage(), why);
    }
}
