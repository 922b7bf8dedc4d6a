package io.redrive.bench;

import java.math.BigDecimal;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes what a result consists of as JSON: objects, strings, numbers, booleans, null. */
final class Json {

    private Json() {}

    static String write(Object value) {
        if (value == null || value instanceof Boolean) {
            return String.valueOf(value);
        }
        if (value instanceof Number number) {
            return number(number.doubleValue());
        }
        if (value instanceof Map<?, ?> object) {
            return object.entrySet().stream()
                    .map(field -> string(field.getKey().toString()) + ":" + write(field.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
        }
        return string(value.toString());
    }

    /** Without exponent and without a fraction of zero: 100000, 0.5. */
    static String number(double value) {
        BigDecimal exact = BigDecimal.valueOf(value).stripTrailingZeros();
        return exact.signum() == 0 ? "0" : exact.toPlainString();
    }

    private static String string(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                case '\n' -> quoted.append("\\n");
                case '\t' -> quoted.append("\\t");
                default -> {
                    if (c < ' ') {
                        quoted.append("\\u%04x".formatted((int) c));
                    } else {
                        quoted.append(c);
                    }
                }
            }
        }
        return quoted.append('"').toString();
    }
}
