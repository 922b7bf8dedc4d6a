package io.redrive.server.http;

import io.redrive.core.SettingException;
import io.redrive.server.problem.Problem;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The parameters of a request. Unknown and repeated parameters are refused: most of them are misspelled, and would have no effect. */
final class Query {

    private final Map<String, String> given;

    private Query(Map<String, String> given) {
        this.given = given;
    }

    /** Reads the parameters of the request, which may have these names. */
    static Query of(HttpServletRequest request, String... names) {
        List<String> known = Arrays.asList(names);
        Map<String, String> given = new LinkedHashMap<>();
        // Not getParameterMap, which would read a form in the body too.
        String text = request.getQueryString();
        for (String pair : text == null || text.isEmpty() ? new String[0] : text.split("&")) {
            int equals = pair.indexOf('=');
            String name = decoded(equals < 0 ? pair : pair.substring(0, equals));
            String value = equals < 0 ? "" : decoded(pair.substring(equals + 1));
            if (!known.contains(name)) {
                String meant = SettingException.nearest(name, known)
                        .map(word -> "; did you mean " + word + "?")
                        .orElse("");
                throw Problem.wrong(name, value, "must be one of the parameters " + String.join(", ", known) + meant);
            }
            if (given.put(name, value) != null) {
                throw Problem.wrong(name, value, "must be given once");
            }
        }
        return new Query(given);
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw Problem.wrong("query", text, "must be percent-encoded text");
        }
    }

    /** Returns the value; empty when the parameter is missing or empty. */
    Optional<String> text(String name) {
        return Optional.ofNullable(given.get(name)).filter(value -> !value.isEmpty());
    }

    /** Returns the value as {@code parse} reads it; a refusal names the parameter. */
    <T> Optional<T> value(String name, Function<String, T> parse) {
        return text(name).map(value -> read(name, value, parse));
    }

    static <T> T read(String name, String value, Function<String, T> parse) {
        try {
            return parse.apply(value);
        } catch (DateTimeException e) {
            throw Problem.wrong(name, value, "must be a time such as 2026-03-01T10:00:00Z");
        } catch (NumberFormatException e) {
            throw Problem.wrong(name, value, "must be a whole number");
        } catch (IllegalArgumentException e) {
            throw Problem.refused(name, value, e);
        }
    }

    Optional<Instant> time(String name) {
        return value(name, Instant::parse);
    }

    boolean isTrue(String name) {
        return value(name, Query::truth).orElse(false);
    }

    static boolean truth(String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw new IllegalArgumentException("it must be true or false");
        }
        return text.equals("true");
    }

    /** Returns the number of rows to answer with, within 1 and {@code most}. */
    int limit(int usual, int most) {
        int limit = value("limit", Integer::parseInt).orElse(Math.min(usual, most));
        if (limit < 1 || limit > most) {
            throw Problem.wrong("limit", String.valueOf(limit), "must be 1 to " + most);
        }
        return limit;
    }

    /** Returns the cursor of a page, as the page before gave it; {@code first} without a cursor. */
    long cursor(long first) {
        return value("cursor", Long::parseLong).map(Query::atLeastZero).orElse(first);
    }

    private static long atLeastZero(long cursor) {
        if (cursor < 0) {
            throw Problem.wrong("cursor", String.valueOf(cursor), "must be the cursor of an earlier page");
        }
        return cursor;
    }
}
