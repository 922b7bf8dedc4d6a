package io.redrive.spring;

import io.redrive.events.Event;
import io.redrive.pipeline.EventBatch;
import io.redrive.pipeline.EventContext;
import io.redrive.pipeline.Outcome;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;

/**
 * What a handler method takes, in the order of its parameters.
 *
 * @param parameters what each parameter is
 * @param isBatch whether it handles several events at once
 * @param payload the type of the payload, or null when it takes none
 */
record HandlerSignature(List<Kind> parameters, boolean isBatch, Type payload) {

    private static final String RULE = "must take a payload, an Event, or both, and an EventContext if it wants to; or,"
            + " for batches, a List of payloads, a List<Event>, an EventBatch, or several of these";

    enum Kind {
        EVENT,
        PAYLOAD,
        CONTEXT,
        BATCH,
        EVENTS,
        PAYLOADS;

        boolean ofBatch() {
            return this == BATCH || this == EVENTS || this == PAYLOADS;
        }
    }

    static HandlerSignature of(Method method, Payloads payloads) {
        if (Modifier.isPrivate(method.getModifiers())) {
            throw wrong(method, "must not be private: a proxy around its bean could not pass calls on");
        }
        List<Kind> kinds = new ArrayList<>();
        Type payload = null;
        for (Type type : method.getGenericParameterTypes()) {
            Kind kind = kindOf(type);
            if (kinds.contains(kind)) {
                throw wrong(method, RULE + "; it takes two of one kind");
            }
            kinds.add(kind);
            if (kind == Kind.PAYLOAD) {
                payload = type;
            } else if (kind == Kind.PAYLOADS) {
                payload = elementOf(type);
            }
        }
        boolean batch = kinds.stream().anyMatch(Kind::ofBatch);
        if (kinds.isEmpty() || kinds.equals(List.of(Kind.CONTEXT))) {
            throw wrong(method, RULE + "; it takes " + (kinds.isEmpty() ? "nothing" : "only an EventContext"));
        }
        if (batch && !kinds.stream().allMatch(Kind::ofBatch)) {
            throw wrong(method, RULE + "; it mixes the two");
        }
        checkReturn(method, batch);
        if (payload != null) {
            try {
                payloads.require(payload);
            } catch (IllegalArgumentException e) {
                throw wrong(method, "cannot be given its payload: " + e.getMessage());
            }
        }
        return new HandlerSignature(List.copyOf(kinds), batch, payload);
    }

    private static Kind kindOf(Type type) {
        if (type == Event.class) {
            return Kind.EVENT;
        }
        if (type == EventContext.class) {
            return Kind.CONTEXT;
        }
        if (type == EventBatch.class) {
            return Kind.BATCH;
        }
        if (type == List.class || type instanceof ParameterizedType generic && generic.getRawType() == List.class) {
            return elementOf(type) == Event.class ? Kind.EVENTS : Kind.PAYLOADS;
        }
        return Kind.PAYLOAD;
    }

    private static Type elementOf(Type list) {
        return list instanceof ParameterizedType generic ? generic.getActualTypeArguments()[0] : Object.class;
    }

    private static void checkReturn(Method method, boolean batch) {
        Class<?> returned = method.getReturnType();
        if (returned != void.class && (batch || returned != Outcome.class)) {
            throw wrong(
                    method,
                    (batch
                                    ? "must return nothing; report outcomes to its EventBatch"
                                    : "must return nothing or an Outcome")
                            + "; it returns " + returned.getSimpleName());
        }
    }

    private static IllegalStateException wrong(Method method, String what) {
        return new IllegalStateException(
                "@OnEvent method " + method.getDeclaringClass().getSimpleName() + "." + method.getName() + " " + what);
    }
}
