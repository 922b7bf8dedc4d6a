package io.redrive.console;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.util.MultiValueMap;

/** The part of an address behind the question mark: names and values in order. Immutable. */
final class Query {

    static final Query NONE = new Query(List.of());

    private final List<Map.Entry<String, String>> parts;

    private Query(List<Map.Entry<String, String>> parts) {
        this.parts = parts;
    }

    /** Returns the parameters of a request that have these names and a value. */
    static Query of(MultiValueMap<String, String> params, List<String> names) {
        Query query = NONE;
        for (String name : names) {
            for (String value : params.getOrDefault(name, List.of())) {
                query = query.plus(name, value);
            }
        }
        return query;
    }

    /** Returns this query with one more value; a blank value changes nothing. */
    Query plus(String name, String value) {
        if (value.isBlank()) {
            return this;
        }
        List<Map.Entry<String, String>> more = new ArrayList<>(parts);
        more.add(Map.entry(name, value));
        return new Query(List.copyOf(more));
    }

    /** Returns this query without any value of this name. */
    Query without(String name) {
        return new Query(
                parts.stream().filter(part -> !part.getKey().equals(name)).toList());
    }

    Query with(String name, String value) {
        return without(name).plus(name, value);
    }

    /** Returns names and values, for the hidden fields of a form. */
    List<Map.Entry<String, String>> parts() {
        return parts;
    }

    /** Returns the query with its question mark; empty without values. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (Map.Entry<String, String> part : parts) {
            text.append(text.isEmpty() ? '?' : '&')
                    .append(encoded(part.getKey()))
                    .append('=')
                    .append(encoded(part.getValue()));
        }
        return text.toString();
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
