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
import java.util.Optional;

/**
 * The parameters of a handler method.
 *
 * @param parameters the kind of each parameter, in order
 * @param isBatch whether the method handles several events at once
 * @param payload the type of the payload; empty when no parameter is a payload
 */
record HandlerSignature(List<Kind> parameters, boolean isBatch, Optional<Type> payload) {

    private static final String RULE = "must take a payload, an Event, or both, and optionally an EventContext; or,"
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
            throw invalid(method, "must not be private, because a proxy around its bean cannot call it");
        }
        List<Kind> kinds = new ArrayList<>();
        Optional<Type> payload = Optional.empty();
        for (Type type : method.getGenericParameterTypes()) {
            Kind kind = kindOf(type);
            if (kinds.contains(kind)) {
                throw invalid(method, RULE + "; two parameters are of the same kind");
            }
            kinds.add(kind);
            if (kind == Kind.PAYLOAD) {
                payload = Optional.of(type);
            } else if (kind == Kind.PAYLOADS) {
                payload = Optional.of(elementOf(type));
            }
        }
        boolean batch = kinds.stream().anyMatch(Kind::ofBatch);
        if (kinds.isEmpty() || kinds.equals(List.of(Kind.CONTEXT))) {
            throw invalid(method, RULE + "; it has " + (kinds.isEmpty() ? "no parameters" : "only an EventContext"));
        }
        if (batch && !kinds.stream().allMatch(Kind::ofBatch)) {
            throw invalid(method, RULE + "; it mixes parameters of single events and of batches");
        }
        checkReturn(method, batch);
        try {
            payload.ifPresent(payloads::require);
        } catch (IllegalArgumentException e) {
            throw invalid(method, "cannot be given its payload: " + e.getMessage());
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
            throw invalid(
                    method,
                    (batch ? "must return void; report outcomes to the EventBatch" : "must return void or an Outcome")
                            + "; it returns " + returned.getSimpleName());
        }
    }

    private static IllegalStateException invalid(Method method, String what) {
        return new IllegalStateException(
                "@OnEvent method " + method.getDeclaringClass().getSimpleName() + "." + method.getName() + " " + what);
    }
}
