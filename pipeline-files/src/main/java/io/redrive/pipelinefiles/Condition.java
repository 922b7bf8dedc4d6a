package io.redrive.pipelinefiles;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import tools.jackson.core.JsonPointer;

/**
 * A condition on one place of a sample, as it is written in a pipeline file: {@code /lang == "en"},
 * {@code /text length > 100}, {@code /tags contains "news"}, {@code /id exists}.
 */
final class Condition {

    private static final Pattern SHAPE =
            Pattern.compile("(?s)\\s*(/\\S*)\\s+(length\\s+)?(==|!=|<=|>=|<|>|[a-z]+)(?:\\s+(.*\\S))?\\s*");
    private static final int MAX_SHOWN = 60;

    private final String source;
    private final JsonPointer pointer;
    private final boolean length;
    private final Operator operator;
    private final JsonValue operand;
    private final Pattern regex;

    /** What may stand in the middle; those without an operand stand at the end. */
    private enum Operator {
        EQUAL("==", true),
        NOT_EQUAL("!=", true),
        LESS("<", true),
        AT_MOST("<=", true),
        GREATER(">", true),
        AT_LEAST(">=", true),
        IN("in", true),
        CONTAINS("contains", true),
        MATCHES("matches", true),
        EXISTS("exists", false),
        MISSING("missing", false);

        private final String sign;
        private final boolean takesOperand;

        Operator(String sign, boolean takesOperand) {
            this.sign = sign;
            this.takesOperand = takesOperand;
        }

        static Operator of(String sign) {
            for (Operator operator : values()) {
                if (operator.sign.equals(sign)) {
                    return operator;
                }
            }
            throw new IllegalArgumentException(
                    "must have one of == != < <= > >= in contains matches exists missing after the pointer");
        }
    }

    private Condition(String source, Matcher parts) {
        this.source = source;
        pointer = JsonPointer.compile(parts.group(1));
        length = parts.group(2) != null;
        operator = Operator.of(parts.group(3));
        String right = parts.group(4);
        if (operator.takesOperand != (right != null)) {
            throw new IllegalArgumentException(
                    operator.takesOperand
                            ? "must have a value after " + operator.sign
                            : "must end with " + operator.sign);
        }
        operand = right == null ? null : operandOf(right);
        regex = operator == Operator.MATCHES ? regexOf(operand) : null;
        if (operator == Operator.IN && !(operand instanceof JsonValue.Arr)) {
            throw new IllegalArgumentException("must have a list after in, such as in [\"en\", \"de\"]");
        }
    }

    static Condition parse(String text) {
        Matcher parts = SHAPE.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    "must be a JSON pointer, an operator and a value, such as /lang == \"en\", /score >= 0.5,"
                            + " /text length > 100 or /id exists");
        }
        return new Condition(text, parts);
    }

    /** JSON; or a bare word, which is a string. */
    private static JsonValue operandOf(String text) {
        try {
            return JsonValue.parse(text);
        } catch (IllegalArgumentException e) {
            if (text.matches("[\\p{L}_][\\p{L}\\p{N}_.-]*")) {
                return new JsonValue.Text(text);
            }
            throw new IllegalArgumentException(
                    "must end with a JSON value (a string in quotes); several conditions are a list, and all must hold",
                    e);
        }
    }

    private static Pattern regexOf(JsonValue operand) {
        try {
            return Pattern.compile(operand.text());
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException(
                    "must have a regular expression after matches: "
                            + e.getDescription().toLowerCase(Locale.ROOT),
                    e);
        }
    }

    /** Empty when the condition holds, else why it does not. A value it cannot be asked of is a bad sample. */
    Optional<String> refusal(JsonValue sample) {
        Optional<JsonValue> found = sample.at(pointer).map(this::measured);
        if (found.isEmpty()) {
            return operator == Operator.MISSING || operator == Operator.NOT_EQUAL
                    ? Optional.empty()
                    : Optional.of("nothing at " + pointer + "; wanted: " + source);
        }
        return holdsFor(found.get())
                ? Optional.empty()
                : Optional.of(pointer + (length ? " has length " : " is ")
                        + found.get().shown(MAX_SHOWN) + "; wanted: " + source);
    }

    private JsonValue measured(JsonValue value) {
        if (!length) {
            return value;
        }
        if (value instanceof JsonValue.Text text) {
            return number(text.value().codePointCount(0, text.value().length()));
        }
        if (value instanceof JsonValue.Arr array) {
            return number(array.items().size());
        }
        throw cannotAsk(value, "a string or an array");
    }

    private static JsonValue number(int value) {
        return new JsonValue.Num(Integer.toString(value));
    }

    private boolean holdsFor(JsonValue value) {
        return switch (operator) {
            case EQUAL -> same(value, operand);
            case NOT_EQUAL -> !same(value, operand);
            case LESS -> compare(value) < 0;
            case AT_MOST -> compare(value) <= 0;
            case GREATER -> compare(value) > 0;
            case AT_LEAST -> compare(value) >= 0;
            case IN -> ((JsonValue.Arr) operand).items().stream().anyMatch(item -> same(value, item));
            case CONTAINS -> contains(value);
            case MATCHES -> regex.matcher(text(value)).find();
            case EXISTS -> true;
            case MISSING -> false;
        };
    }

    private int compare(JsonValue value) {
        if (value instanceof JsonValue.Num left && operand instanceof JsonValue.Num right) {
            return left.value().compareTo(right.value());
        }
        if (value instanceof JsonValue.Text left && operand instanceof JsonValue.Text right) {
            return left.value().compareTo(right.value());
        }
        throw cannotAsk(value, operand instanceof JsonValue.Num ? "a number" : "a string");
    }

    private boolean contains(JsonValue value) {
        if (value instanceof JsonValue.Arr array) {
            return array.items().stream().anyMatch(item -> same(item, operand));
        }
        return value instanceof JsonValue.Obj object
                ? object.members().containsKey(operand.text())
                : text(value).contains(operand.text());
    }

    private String text(JsonValue value) {
        if (value instanceof JsonValue.Text text) {
            return text.value();
        }
        throw cannotAsk(value, "a string");
    }

    private SampleException cannotAsk(JsonValue value, String kind) {
        return new SampleException(
                pointer + " must be " + kind + " for the filter " + source + ", got " + value.shown(MAX_SHOWN));
    }

    /** Equal as JSON; 1 and 1.0 are the same number. */
    private static boolean same(JsonValue a, JsonValue b) {
        if (a instanceof JsonValue.Num left && b instanceof JsonValue.Num right) {
            return left.value().compareTo(right.value()) == 0;
        }
        if (a instanceof JsonValue.Arr left && b instanceof JsonValue.Arr right) {
            return left.items().size() == right.items().size() && sameItems(left, right);
        }
        if (a instanceof JsonValue.Obj left && b instanceof JsonValue.Obj right) {
            return left.members().keySet().equals(right.members().keySet()) && sameMembers(left, right);
        }
        return a.equals(b);
    }

    private static boolean sameItems(JsonValue.Arr left, JsonValue.Arr right) {
        for (int i = 0; i < left.items().size(); i++) {
            if (!same(left.items().get(i), right.items().get(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean sameMembers(JsonValue.Obj left, JsonValue.Obj right) {
        for (Map.Entry<String, JsonValue> member : left.members().entrySet()) {
            if (!same(member.getValue(), right.members().get(member.getKey()))) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return source;
    }
}
