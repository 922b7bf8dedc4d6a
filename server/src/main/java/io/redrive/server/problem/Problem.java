package io.redrive.server.problem;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/**
 * The answer to a refused request, as RFC 9457 describes it. {@code field}, {@code value} and {@code rule} are members of their own,
 * so that a program finds the refused field without reading the text.
 */
public final class Problem extends RuntimeException {

    private static final long serialVersionUID = 1L;
    private static final int LONGEST_VALUE = 200;

    private final HttpStatus status;
    private final String kind;
    private final @Nullable String field;
    private final @Nullable String value;
    private final @Nullable String rule;

    private Problem(
            HttpStatus status,
            String kind,
            String detail,
            @Nullable String field,
            @Nullable String value,
            @Nullable String rule) {
        super(detail, null, false, false);
        this.status = status;
        this.kind = kind;
        this.field = field;
        this.value = value;
        this.rule = rule;
    }

    /** Refuses a request with a text alone. */
    public static Problem of(HttpStatus status, String kind, String detail) {
        return new Problem(status, kind, detail, null, null, null);
    }

    /** Refuses the value of a field, a parameter or a header. */
    public static Problem wrong(String field, @Nullable String value, String rule) {
        String shown = value == null ? "nothing" : "'" + cut(value) + "'";
        return new Problem(
                HttpStatus.BAD_REQUEST,
                "invalid",
                field + " " + rule + ", got " + shown,
                field,
                value == null ? null : cut(value),
                rule);
    }

    /** Refuses a value that the library refused, with the rule of its message. */
    public static Problem refused(String field, String value, IllegalArgumentException why) {
        return wrong(field, value, ruleOf(String.valueOf(why.getMessage())));
    }

    /** Cuts the subject of a message before its rule, and the value behind it: the answer names field and value itself. */
    private static String ruleOf(String message) {
        int end = Math.max(message.lastIndexOf("; got "), message.lastIndexOf(", got "));
        String withoutValue = end < 0 ? message : message.substring(0, end);
        int rule = withoutValue.indexOf("must ");
        return rule < 0 ? "is refused: " + withoutValue : withoutValue.substring(rule);
    }

    /** Refuses an object as a whole, with the message of the library, which names the part. */
    public static Problem refusedWhole(String what, IllegalArgumentException why) {
        String rule = String.valueOf(why.getMessage());
        return new Problem(HttpStatus.BAD_REQUEST, "invalid", what + " is refused: " + rule, what, null, rule);
    }

    /** Refuses a request above a limit of the server. */
    public static Problem tooLarge(String limit, String rule) {
        return new Problem(HttpStatus.CONTENT_TOO_LARGE, "too-large", limit + " " + rule, limit, null, rule);
    }

    /** Answers that the server has no such letter, run, route and so on: {@code there is no route 'billing'}. */
    public static Problem missing(String what, String id) {
        return new Problem(
                HttpStatus.NOT_FOUND, "not-found", "there is no " + what + " '" + cut(id) + "'", what, cut(id), null);
    }

    /** Answers that the state of a thing does not allow the request. */
    public static Problem conflict(String what, String id, String detail) {
        return new Problem(HttpStatus.CONFLICT, "conflict", detail, what, cut(id), null);
    }

    private static String cut(String text) {
        return text.length() > LONGEST_VALUE ? text.substring(0, LONGEST_VALUE) + "…" : text;
    }

    HttpStatus status() {
        return status;
    }

    /** Returns the members of the answer. */
    Map<String, Object> body() {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("type", "urn:redrive:problem:" + kind);
        body.put("title", status.getReasonPhrase());
        body.put("status", status.value());
        body.put("detail", String.valueOf(getMessage()));
        if (field != null) {
            body.put("field", field);
        }
        if (value != null) {
            body.put("value", value);
        }
        if (rule != null) {
            body.put("rule", rule);
        }
        return body;
    }
}
