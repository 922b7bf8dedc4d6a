package io.redrive.pipelinefiles;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * A value of a YAML file with the position for error messages: file, line and key.
 *
 * @param file the YAML file
 * @param path the keys that lead to the value, such as {@code stages[1].url}; empty at the top
 * @param node the value
 */
public record YamlValue(Path file, String path, Node node) {

    private static final Pattern JSON_NUMBER = Pattern.compile("-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?");
    private static final int MAX_DEPTH = 100;
    private static final int MAX_VALUES = 10_000;
    private static final int MAX_SHOWN = 60;

    /** Returns the refusal of this value, with a rule such as {@code must be a list}. */
    public IllegalArgumentException wrong(String rule) {
        return wrong(rule, null);
    }

    /** Returns the refusal of this value, with the exception that refused the value. */
    public IllegalArgumentException wrong(@Nullable String rule, @Nullable Throwable cause) {
        int line = node.getStartMark().getLine() + 1;
        String at = path.isEmpty() ? "" : path + ": ";
        return new RefusedValueException(file + ":" + line + ": " + at + rule, cause);
    }

    /** Returns the text of a string or a number, as the file has it. */
    public String text() {
        if (node instanceof ScalarNode scalar && !Tag.NULL.equals(scalar.getTag())) {
            return scalar.getValue();
        }
        throw wrong("must be a text or a number, got " + shown());
    }

    /** Parses the text; a refusal of {@code parse} is thrown again with the place of this value. */
    <T> T as(Function<String, T> parse) {
        String text = text();
        try {
            return parse.apply(text);
        } catch (NumberFormatException e) {
            throw wrong("must be a number, got '" + text + "'", e);
        } catch (RuleException e) {
            throw wrong(e.getMessage() + ", got '" + text + "'", e);
        } catch (RefusedValueException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage(), e);
        }
    }

    /** Returns true for a key without a value. */
    public boolean isNothing() {
        return Tag.NULL.equals(node.getTag());
    }

    /** Returns true for a list. */
    public boolean isList() {
        return node instanceof SequenceNode;
    }

    /** Returns true for a mapping. */
    public boolean isMapping() {
        return node instanceof MappingNode;
    }

    /** Returns the items of a list. */
    public List<YamlValue> items() {
        if (!(node instanceof SequenceNode list)) {
            throw wrong("must be a list, got " + shown());
        }
        List<YamlValue> items = new ArrayList<>();
        for (Node item : list.getValue()) {
            items.add(new YamlValue(file, path + "[" + items.size() + "]", item));
        }
        return items;
    }

    /** Returns the values of a mapping by key. */
    public Map<String, YamlValue> members() {
        if (!(node instanceof MappingNode mapping)) {
            throw wrong("must be a mapping such as 'key: value', got " + shown());
        }
        Map<String, YamlValue> members = new LinkedHashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
            YamlValue key = new YamlValue(file, path, tuple.getKeyNode());
            String name = key.text();
            String below = path.isEmpty() ? name : path + "." + name;
            if (members.put(name, new YamlValue(file, below, tuple.getValueNode())) != null) {
                throw key.wrong("must have each key once, got '" + name + "' twice");
            }
        }
        return members;
    }

    /** Returns the value as JSON. Unquoted true, false and null keep their type; all further words of YAML are strings. */
    JsonValue json() {
        return json(new int[] {MAX_VALUES}, 0);
    }

    private JsonValue json(int[] left, int depth) {
        if (--left[0] < 0 || depth > MAX_DEPTH) {
            throw wrong("must have at most " + MAX_VALUES + " values in at most " + MAX_DEPTH + " levels");
        }
        if (isMapping()) {
            Map<String, JsonValue> members = new LinkedHashMap<>();
            members().forEach((name, member) -> members.put(name, member.json(left, depth + 1)));
            return new JsonValue.Obj(members);
        }
        if (isList()) {
            List<JsonValue> items = new ArrayList<>();
            items().forEach(item -> items.add(item.json(left, depth + 1)));
            return new JsonValue.Arr(items);
        }
        return scalar((ScalarNode) node);
    }

    private JsonValue scalar(ScalarNode scalar) {
        String text = scalar.getValue();
        Tag tag = scalar.getTag();
        if (Tag.NULL.equals(tag)) {
            return JsonValue.Word.NULL;
        }
        if (Tag.BOOL.equals(tag) && text.equalsIgnoreCase("true")) {
            return JsonValue.Word.TRUE;
        }
        if (Tag.BOOL.equals(tag) && text.equalsIgnoreCase("false")) {
            return JsonValue.Word.FALSE;
        }
        if (Tag.INT.equals(tag) || Tag.FLOAT.equals(tag)) {
            if (!JSON_NUMBER.matcher(text).matches()) {
                throw wrong("must be a number as JSON has it, or quoted, got " + text);
            }
            return new JsonValue.Num(text);
        }
        return new JsonValue.Text(text);
    }

    /** Returns the value for messages. */
    String shown() {
        if (isMapping()) {
            return "a mapping";
        }
        if (isList()) {
            return "a list";
        }
        String text = ((ScalarNode) node).getValue();
        return Tag.NULL.equals(node.getTag())
                ? "nothing"
                : "'" + (text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "…" : text) + "'";
    }
}
