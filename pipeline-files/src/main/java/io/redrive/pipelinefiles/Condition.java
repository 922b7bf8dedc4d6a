package io.redrive.pipelinefiles;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonPointer;

/**
 * A condition on one place of a sample, as the pipeline file has it: {@code /lang == "en"}, {@code /text length > 100},
 * {@code /tags contains "news"}, {@code /id exists}.
 */
final class Condition {

    private static final Pattern SHAPE =
            Pattern.compile("(?s)\\s*(/\\S*)\\s+(length\\s+)?(==|!=|<=|>=|<|>|[a-z]+)(?:\\s+(.*\\S))?\\s*");
    private static final int MAX_SHOWN = 60;

    private final String source;
    private final JsonPointer pointer;
    private final boolean length;
    private final boolean holdsWithoutValue;
    private final Predicate<JsonValue> holds;

    private Condition(String source, Matcher parts) {
        this.source = source;
        pointer = JsonPointer.compile(parts.group(1));
        length = parts.group(2) != null;
        String operator = parts.group(3);
        String right = parts.group(4);
        holdsWithoutValue = operator.equals("missing") || operator.equals("!=");
        if (operator.equals("exists") || operator.equals("missing")) {
            if (right != null) {
                throw new RuleException("must end with " + operator);
            }
            holds = value -> operator.equals("exists");
        } else {
            holds = comparison(operator, right);
        }
    }

    static Condition parse(String text) {
        Matcher parts = SHAPE.matcher(text);
        if (!parts.matches()) {
            throw new RuleException(
                    "must be a JSON pointer, an operator and a value, such as /lang == \"en\", /score >= 0.5,"
                            + " /text length > 100 or /id exists");
        }
        return new Condition(text, parts);
    }

    private Predicate<JsonValue> comparison(String operator, @Nullable String right) {
        Function<JsonValue, Predicate<JsonValue>> test = switch (operator) {
            case "==" -> operand -> value -> same(value, operand);
            case "!=" -> operand -> value -> !same(value, operand);
            case "<" -> operand -> value -> compare(value, operand) < 0;
            case "<=" -> operand -> value -> compare(value, operand) <= 0;
            case ">" -> operand -> value -> compare(value, operand) > 0;
            case ">=" -> operand -> value -> compare(value, operand) >= 0;
            case "in" -> this::in;
            case "contains" -> operand -> value -> contains(value, operand);
            case "matches" -> this::matches;
            default ->
                throw new RuleException(
                        "must have one of == != < <= > >= in contains matches exists missing after the pointer");
        };
        if (right == null) {
            throw new RuleException("must have a value after " + operator);
        }
        return test.apply(operand(right));
    }

    /** Reads JSON, or a bare word as a string. */
    private static JsonValue operand(String text) {
        try {
            return JsonValue.parse(text);
        } catch (IllegalArgumentException e) {
            if (text.matches("[\\p{L}_][\\p{L}\\p{N}_.-]*")) {
                return new JsonValue.Text(text);
            }
            throw new RuleException(
                    "must end with a JSON value (a string in quotes); several conditions are a list, and all must hold",
                    e);
        }
    }

    private Predicate<JsonValue> in(JsonValue operand) {
        if (!(operand instanceof JsonValue.Arr list)) {
            throw new RuleException("must have a list after in, such as in [\"en\", \"de\"]");
        }
        return value -> list.items().stream().anyMatch(item -> same(value, item));
    }

    private Predicate<JsonValue> matches(JsonValue operand) {
        Pattern regex;
        try {
            regex = Pattern.compile(operand.text());
        } catch (PatternSyntaxException e) {
            throw new RuleException(
                    "must have a regular expression after matches: "
                            + e.getDescription().toLowerCase(Locale.ROOT),
                    e);
        }
        return value -> regex.matcher(text(value)).find();
    }

    /**
     * Returns why the condition does not hold for this sample; empty when it holds.
     *
     * @throws SampleException when the value in the sample has a type that the operator cannot compare
     */
    Optional<String> refusal(JsonValue sample) {
        Optional<JsonValue> found = sample.at(pointer).map(this::measured);
        if (found.isEmpty()) {
            return holdsWithoutValue ? Optional.empty() : Optional.of("nothing at " + pointer + "; wanted: " + source);
        }
        return holds.test(found.get())
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
        throw wrongType(value, "a string or an array");
    }

    private static JsonValue number(int value) {
        return new JsonValue.Num(Integer.toString(value));
    }

    private int compare(JsonValue value, JsonValue operand) {
        if (value instanceof JsonValue.Num left && operand instanceof JsonValue.Num right) {
            return left.value().compareTo(right.value());
        }
        if (value instanceof JsonValue.Text left && operand instanceof JsonValue.Text right) {
            return left.value().compareTo(right.value());
        }
        throw wrongType(value, operand instanceof JsonValue.Num ? "a number" : "a string");
    }

    private boolean contains(JsonValue value, JsonValue operand) {
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
        throw wrongType(value, "a string");
    }

    private SampleException wrongType(JsonValue value, String kind) {
        return new SampleException(
                pointer + " must be " + kind + " for the filter " + source + ", got " + value.shown(MAX_SHOWN));
    }

    /** Returns true when the two are equal as JSON; 1 and 1.0 are the same number. */
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
            JsonValue other = right.members().get(member.getKey());
            if (other == null || !same(member.getValue(), other)) {
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
