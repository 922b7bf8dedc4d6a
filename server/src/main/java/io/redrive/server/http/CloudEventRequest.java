package io.redrive.server.http;

import io.redrive.events.CloudEventAttributes;
import io.redrive.events.Event;
import io.redrive.events.JsonPayload;
import io.redrive.server.problem.Problem;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** Reads CloudEvents 1.0: structured JSON, or binary, where attributes are headers that begin with {@code ce-}. */
final class CloudEventRequest {

    static final String STRUCTURED = "application/cloudevents+json";
    static final String BATCH = "application/cloudevents-batch+json";

    private static final String HEADER = "ce-";
    private static final Pattern BARE_PERCENT = Pattern.compile("%(?![0-9a-fA-F]{2})");

    private CloudEventRequest() {}

    static boolean isBinary(HttpServletRequest request) {
        return request.getHeader(HEADER + "specversion") != null;
    }

    static Event binary(HttpServletRequest request, byte[] body, Instant now) {
        Map<String, String> attributes = new LinkedHashMap<>();
        for (String header : Collections.list(request.getHeaderNames())) {
            String name = header.toLowerCase(Locale.ROOT);
            if (name.startsWith(HEADER)) {
                attributes.put(name.substring(HEADER.length()), decoded(name, request.getHeader(header)));
            }
        }
        if (request.getContentType() != null) {
            attributes.put("datacontenttype", request.getContentType());
        }
        return event("", attributes, body, now);
    }

    /**
     * Header values are percent-encoded (section 3.1.3.2 of the HTTP binding). The SDK of Java encodes no value, so a percent sign
     * that begins no escape stands for itself.
     */
    private static String decoded(String name, String value) {
        String escaped = BARE_PERCENT.matcher(value.replace("+", "%2B")).replaceAll("%25");
        return Query.read(name, escaped, text -> URLDecoder.decode(text, StandardCharsets.UTF_8));
    }

    static Event structured(String path, JsonNode node, Instant now) {
        if (!node.isObject()) {
            throw Problem.wrong(path.isEmpty() ? "body" : path, null, "must be a JSON object");
        }
        Map<String, String> attributes = new LinkedHashMap<>();
        node.forEachEntry((name, value) -> {
            if (!name.equals("data") && !name.equals("data_base64") && !value.isNull()) {
                if (!value.isValueNode()) {
                    throw Problem.wrong(name, null, "must be a text, a number or a truth value");
                }
                attributes.put(name, value.asString());
            }
        });
        return event(path, attributes, data(path, node, attributes), now);
    }

    private static byte[] data(String path, JsonNode node, Map<String, String> attributes) {
        JsonNode data = node.get("data");
        JsonNode encoded = node.get("data_base64");
        if (data != null && encoded != null) {
            throw Problem.wrong(
                    path.isEmpty() ? "data_base64" : path + ".data_base64", null, "must be missing beside data");
        }
        if (encoded != null) {
            if (!encoded.isString()) {
                throw Problem.wrong("data_base64", null, "must be a text in base64");
            }
            return Query.read("data_base64", encoded.asString(), Base64.getDecoder()::decode);
        }
        if (data == null) {
            return new byte[0];
        }
        attributes.putIfAbsent("datacontenttype", "application/json");
        boolean json = JsonPayload.isJson(attributes.get("datacontenttype"));
        return !json && data.isString() ? data.asString().getBytes(StandardCharsets.UTF_8) : Body.bytes(data);
    }

    private static Event event(String path, Map<String, String> attributes, byte[] data, Instant now) {
        try {
            return CloudEventAttributes.toEvent(attributes, data, now);
        } catch (IllegalArgumentException e) {
            throw Problem.refusedWhole(path.isEmpty() ? "event" : path, e);
        }
    }
}
