package io.redrive.pipelinefiles;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** JSON whose strings are templates. A string that is one placeholder and nothing else becomes whatever is there. */
sealed interface JsonTemplate {

    /** The value for one sample. */
    JsonValue render(Scope scope);

    /** True when any of the templates in it is like that. */
    boolean any(Predicate<Template> like);

    /** The same for every sample. */
    record Fixed(JsonValue value) implements JsonTemplate {
        @Override
        public JsonValue render(Scope scope) {
            return value;
        }

        @Override
        public boolean any(Predicate<Template> like) {
            return false;
        }
    }

    /** A string. */
    record Text(Template template) implements JsonTemplate {
        @Override
        public JsonValue render(Scope scope) {
            return template.renderValue(scope);
        }

        @Override
        public boolean any(Predicate<Template> like) {
            return like.test(template);
        }
    }

    /** An object. */
    record Obj(Map<String, JsonTemplate> members) implements JsonTemplate {
        @Override
        public JsonValue render(Scope scope) {
            Map<String, JsonValue> rendered = new LinkedHashMap<>();
            members.forEach((name, member) -> rendered.put(name, member.render(scope)));
            return new JsonValue.Obj(rendered);
        }

        @Override
        public boolean any(Predicate<Template> like) {
            return members.values().stream().anyMatch(member -> member.any(like));
        }
    }

    /** An array. */
    record Arr(List<JsonTemplate> items) implements JsonTemplate {
        @Override
        public JsonValue render(Scope scope) {
            List<JsonValue> rendered = new ArrayList<>(items.size());
            items.forEach(item -> rendered.add(item.render(scope)));
            return new JsonValue.Arr(rendered);
        }

        @Override
        public boolean any(Predicate<Template> like) {
            return items.stream().anyMatch(item -> item.any(like));
        }
    }

    /** The template that is written as JSON. */
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

    /** The sample as it is. */
    static JsonTemplate sample() {
        return new Text(Template.parse("${}", Map.of()));
    }
}
