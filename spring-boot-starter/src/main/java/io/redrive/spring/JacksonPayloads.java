package io.redrive.spring;

import io.redrive.events.Event;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Payloads in JSON, by the application's own mapper. */
final class JacksonPayloads implements Payloads {

    private final Payloads plain = new Plain();
    private final JsonMapper mapper;

    JacksonPayloads(JsonMapper mapper) {
        this.mapper = mapper;
    }

    @Override
    public @Nullable Object read(Event event, Type type) {
        return type == String.class || type == byte[].class
                ? plain.read(event, type)
                : mapper.readValue(event.payload(), mapper.constructType(type));
    }

    @Override
    public Event.Builder write(Event.Builder event, Object payload) {
        return payload instanceof String || payload instanceof byte[]
                ? plain.write(event, payload)
                : event.payload(mapper.writeValueAsBytes(payload), "application/json");
    }

    @Override
    public void require(Type type) {
        // Jackson finds out only with the first payload whether the type can be read.
    }
}
