package io.redrive.pipelinefiles;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** JSON whose strings are templates. A string with only a placeholder becomes the value of the placeholder, of any type. */
sealed interface JsonTemplate {

    /** Returns the JSON value for one sample. */
    JsonValue render(Scope scope);

    /** Returns true when the predicate holds for one of the templates. */
    boolean any(Predicate<Template> predicate);

    /** A value that is the same for every sample. */
    record Fixed(JsonValue value) implements JsonTemplate {
        @Override
        public JsonValue render(Scope scope) {
            return value;
        }

        @Override
        public boolean any(Predicate<Template> predicate) {
            return false;
        }
    }

    /** A string with placeholders. */
    record Text(Template template) implements JsonTemplate {
        @Override
        public JsonValue render(Scope scope) {
            return template.renderValue(scope);
        }

        @Override
        public boolean any(Predicate<Template> predicate) {
            return predicate.test(template);
        }
    }

    /** An object whose members are templates. */
    record Obj(Map<String, JsonTemplate> members) implements JsonTemplate {
        @Override
        public JsonValue render(Scope scope) {
            Map<String, JsonValue> rendered = new LinkedHashMap<>();
            members.forEach((name, member) -> rendered.put(name, member.render(scope)));
            return new JsonValue.Obj(rendered);
        }

        @Override
        public boolean any(Predicate<Template> predicate) {
            return members.values().stream().anyMatch(member -> member.any(predicate));
        }
    }

    /** An array whose elements are templates. */
    record Arr(List<JsonTemplate> items) implements JsonTemplate {
        @Override
        public JsonValue render(Scope scope) {
            List<JsonValue> rendered = new ArrayList<>(items.size());
            items.forEach(item -> rendered.add(item.render(scope)));
            return new JsonValue.Arr(rendered);
        }

        @Override
        public boolean any(Predicate<Template> predicate) {
            return items.stream().anyMatch(item -> item.any(predicate));
        }
    }

    /** Reads the strings of a JSON value as templates. */
    static JsonTemplate of(JsonValue value, Map<String, String> environment) {
        if (value instanceof JsonValue.Obj object) {
            Map<String, JsonTemplate> members = new LinkedHashMap<>();
            object.members().forEach((name, member) -> members.put(name, of(member, environment)));
            return new Obj(members);
        }
        if (value instanceof JsonValue.Arr array) {
            return new Arr(
                    array.items().stream().map(item -> of(item, environment)).toList());
        }
        if (value instanceof JsonValue.Text text) {
            return new Text(Template.parse(text.value(), environment));
        }
        return new Fixed(value);
    }

    /** Returns the template that stands for the whole sample. */
    static JsonTemplate sample() {
        return new Text(Template.parse("${}", Map.of()));
    }
}
