package io.redrive.pipelinefiles;

import java.util.Map;

/**
 * Writes a {@link JsonValue} as text on one line. Escapes more than Jackson does: line separators, which some readers of JSON lines
 * take for the end of a line, and unpaired surrogates, which UTF-8 cannot hold.
 */
final class JsonWriter {

    private JsonWriter() {}

    static String write(JsonValue value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private static void write(JsonValue value, StringBuilder out) {
        if (value instanceof JsonValue.Obj object) {
            char before = '{';
            for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
                quote(member.getKey(), out.append(before));
                write(member.getValue(), out.append(':'));
                before = ',';
            }
            out.append(before == '{' ? "{}" : "}");
        } else if (value instanceof JsonValue.Arr array) {
            char before = '[';
            for (JsonValue item : array.items()) {
                write(item, out.append(before));
                before = ',';
            }
            out.append(before == '[' ? "[]" : "]");
        } else if (value instanceof JsonValue.Text text) {
            quote(text.value(), out);
        } else {
            out.append(value);
        }
    }

    private static void quote(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c == '\n') {
                out.append("\\n");
            } else if (c < ' ' || c == '\u2028' || c == '\u2029' || isUnpairedSurrogate(text, i)) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    /** Returns true for an unpaired surrogate, which UTF-8 can hold only in escaped form. */
    private static boolean isUnpairedSurrogate(String text, int i) {
        char c = text.charAt(i);
        if (Character.isHighSurrogate(c)) {
            return i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1));
        }
        return Character.isLowSurrogate(c) && (i == 0 || !Character.isHighSurrogate(text.charAt(i - 1)));
    }
}
