package io.redrive.pipelinefiles;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JsonPointer;

/**
 * Text with placeholders: <code>${/title}</code> (a pointer into the sample), <code>${/lang:-en}</code> (a pointer and a default for
 * samples without a value), <code>${}</code> (the whole sample), <code>${run}</code>, <code>${id}</code>, <code>${ordinal}</code>,
 * <code>${attempt}</code>, and <code>${env:API_KEY}</code> (an environment variable, read together with the file).
 * <code>$${</code> stands for <code>${</code>.
 */
final class Template {

    private static final String OPEN = "${";

    private final String source;
    private final List<Part> parts;

    private sealed interface Part {}

    private record Literal(String text) implements Part {}

    private record Field(JsonPointer pointer, Optional<String> otherwise) implements Part {}

    /** A placeholder for a part of the sample context. */
    enum Variable implements Part {
        RUN,
        ID,
        ORDINAL,
        ATTEMPT;

        static Optional<Variable> named(String name) {
            for (Variable variable : values()) {
                if (variable.toString().equals(name)) {
                    return Optional.of(variable);
                }
            }
            return Optional.empty();
        }

        String in(Scope scope) {
            return switch (this) {
                case RUN -> scope.context().run();
                case ID -> scope.context().id();
                case ORDINAL -> Long.toString(scope.context().ordinal());
                case ATTEMPT -> Integer.toString(scope.context().attempt());
            };
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private Template(String source, List<Part> parts) {
        this.source = source;
        this.parts = List.copyOf(parts);
    }

    static Template parse(String text, Map<String, String> environment) {
        List<Part> parts = new ArrayList<>();
        StringBuilder literal = new StringBuilder();
        int at = 0;
        while (at < text.length()) {
            if (text.startsWith("$" + OPEN, at)) {
                literal.append(OPEN);
                at += 1 + OPEN.length();
            } else if (text.startsWith(OPEN, at)) {
                int end = text.indexOf('}', at);
                if (end < 0) {
                    throw new IllegalArgumentException("must close each ${ with }, got '" + text + "'");
                }
                String name = text.substring(at + OPEN.length(), end);
                if (name.startsWith("env:")) {
                    literal.append(fromEnvironment(name.substring(4), environment));
                } else {
                    flush(literal, parts);
                    parts.add(placeholder(name));
                }
                at = end + 1;
            } else {
                literal.append(text.charAt(at));
                at++;
            }
        }
        flush(literal, parts);
        return new Template(text, parts);
    }

    private static void flush(StringBuilder literal, List<Part> parts) {
        if (!literal.isEmpty()) {
            parts.add(new Literal(literal.toString()));
            literal.setLength(0);
        }
    }

    private static Part placeholder(String name) {
        Optional<Variable> variable = Variable.named(name);
        if (variable.isPresent()) {
            return variable.get();
        }
        int otherwise = name.indexOf(":-");
        String pointer = otherwise < 0 ? name : name.substring(0, otherwise);
        if (!pointer.isEmpty() && !pointer.startsWith("/")) {
            throw new IllegalArgumentException(
                    "placeholders must be a JSON pointer such as ${/title}, or ${run}, ${id},"
                            + " ${ordinal}, ${attempt}, ${env:NAME}; got '${" + name + "}'");
        }
        return new Field(
                JsonPointer.compile(pointer),
                otherwise < 0 ? Optional.empty() : Optional.of(name.substring(otherwise + 2)));
    }

    private static String fromEnvironment(String name, Map<String, String> environment) {
        String value = environment.get(name);
        if (value == null) {
            throw new IllegalArgumentException("names ${env:" + name + "}, which must be set in the environment");
        }
        return value;
    }

    /** Returns true for a template without placeholders. */
    boolean isFixed() {
        return parts.stream().allMatch(Literal.class::isInstance);
    }

    /** Returns the text before the first placeholder. */
    String start() {
        return !parts.isEmpty() && parts.get(0) instanceof Literal literal ? literal.text() : "";
    }

    /** Returns true when a placeholder names the id, ordinal or attempt, of which a batch has several. */
    boolean namesOneSample() {
        return parts.stream().anyMatch(part -> part instanceof Variable && part != Variable.RUN);
    }

    /** Fills the placeholders with unchanged values. */
    String render(Scope scope) {
        StringBuilder text = new StringBuilder();
        parts.forEach(part -> text.append(textOf(part, scope)));
        return text.toString();
    }

    /** Fills the placeholders with values encoded for a URL. A placeholder at the start is a whole URL and is not encoded. */
    String renderUrl(Scope scope) {
        boolean whole = !parts.isEmpty() && parts.get(0) instanceof Field;
        StringBuilder url = new StringBuilder();
        for (int i = 0; i < parts.size(); i++) {
            String text = textOf(parts.get(i), scope);
            url.append(parts.get(i) instanceof Literal || (whole && i == 0) ? text : encoded(text));
        }
        return url.toString();
    }

    /** Fills the placeholders and returns a string; a template with only a pointer returns the value with its type. */
    JsonValue renderValue(Scope scope) {
        if (parts.size() == 1 && parts.get(0) instanceof Field field) {
            Optional<JsonValue> value = scope.sample().at(field.pointer());
            if (value.isPresent()) {
                return value.get();
            }
        }
        return new JsonValue.Text(render(scope));
    }

    private static String textOf(Part part, Scope scope) {
        if (part instanceof Literal literal) {
            return literal.text();
        }
        if (part instanceof Variable variable) {
            return variable.in(scope);
        }
        Field field = (Field) part;
        Optional<JsonValue> value = scope.sample().at(field.pointer()).filter(found -> found != JsonValue.Word.NULL);
        return value.map(JsonValue::text)
                .or(field::otherwise)
                .orElseThrow(() -> new SampleException(
                        "the sample must have a value at " + field.pointer() + " and has none; set a default with ${"
                                + field.pointer() + ":-value}, or filter such samples"));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Returns the source text, without the values of environment variables, which may be secrets. */
    @Override
    public String toString() {
        return source;
    }
}
