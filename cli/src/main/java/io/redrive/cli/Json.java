package io.redrive.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The little JSON this module writes; a library would cost more start-up time than it saves lines. */
final class Json {

    private Json() {}

    /** An object; members keep their order. */
    static final class Obj {
        private final Map<String, String> members = new LinkedHashMap<>();

        Obj put(String name, Object value) {
            members.put(name, text(value));
            return this;
        }

        @Override
        public String toString() {
            return members.entrySet().stream()
                    .map(member -> quoted(member.getKey()) + ":" + member.getValue())
                    .collect(Collectors.joining(",", "{", "}"));
        }
    }

    private static String text(Object value) {
        if (value instanceof List<?> list) {
            List<String> items = new ArrayList<>();
            list.forEach(item -> items.add(text(item)));
            return "[" + String.join(",", items) + "]";
        }
        return value == null || value instanceof Number || value instanceof Boolean || value instanceof Obj
                ? String.valueOf(value)
                : quoted(value.toString());
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            switch (c) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                case '\n' -> quoted.append("\\n");
                default -> {
                    if (c < ' ') {
                        quoted.append(String.format("\\u%04x", (int) c));
                    } else {
                        quoted.append(c);
                    }
                }
            }
        }
        return quoted.append('"').toString();
    }
}
