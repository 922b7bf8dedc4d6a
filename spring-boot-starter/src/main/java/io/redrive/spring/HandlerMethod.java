package io.redrive.spring;

import io.redrive.events.Event;
import io.redrive.pipeline.EventBatch;
import io.redrive.pipeline.EventContext;
import io.redrive.pipeline.Outcome;
import io.redrive.pipeline.Pipeline;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.ReflectionUtils;

/**
 * An {@link OnEvent} method of a bean. The bean is looked up for each event, so a lazy bean is created by its first event.
 */
final class HandlerMethod {

    private final BeanFactory beans;
    private final String beanName;
    private final Method method;
    private final List<String> patterns;
    private final HandlerSignature signature;
    private final Payloads payloads;

    HandlerMethod(BeanFactory beans, String beanName, Method method, List<String> patterns, Payloads payloads) {
        this.beans = beans;
        this.beanName = beanName;
        this.method = method;
        this.patterns = patterns;
        this.payloads = payloads;
        signature = HandlerSignature.of(method, payloads);
    }

    List<String> patterns() {
        return patterns;
    }

    void addTo(Pipeline.Builder pipeline) {
        for (String pattern : patterns) {
            if (signature.isBatch()) {
                pipeline.onBatch(pattern, this::handleBatch);
            } else {
                pipeline.handle(pattern, this::handleOne);
            }
        }
    }

    private Outcome handleOne(Event event, EventContext context) throws Exception {
        Object payload;
        try {
            payload = read(event);
        } catch (RuntimeException unreadable) {
            return Outcome.invalid(unreadable);
        }
        List<@Nullable Object> arguments = new ArrayList<>();
        for (HandlerSignature.Kind kind : signature.parameters()) {
            arguments.add(
                    switch (kind) {
                        case EVENT -> event;
                        case CONTEXT -> context;
                        default -> payload;
                    });
        }
        Object returned = invoke(arguments);
        if (method.getReturnType() == void.class) {
            return Outcome.done();
        }
        if (returned == null) {
            throw new IllegalStateException("@OnEvent method " + this
                    + " must return an Outcome, got null; return Outcome.done() when the event is handled");
        }
        return (Outcome) returned;
    }

    private void handleBatch(EventBatch batch) throws Exception {
        List<Event> events = new ArrayList<>();
        List<@Nullable Object> read = new ArrayList<>();
        for (Event event : batch.events()) {
            try {
                read.add(read(event));
                events.add(event);
            } catch (RuntimeException unreadable) {
                batch.invalid(event, unreadable);
            }
        }
        if (events.isEmpty()) {
            return;
        }
        List<@Nullable Object> arguments = new ArrayList<>();
        for (HandlerSignature.Kind kind : signature.parameters()) {
            arguments.add(
                    switch (kind) {
                        case BATCH -> batch;
                        case EVENTS -> events;
                        default -> read;
                    });
        }
        invoke(arguments);
    }

    /** Returns the payload of {@code event} as the method takes it; null without a parameter for the payload. */
    private @Nullable Object read(Event event) {
        return signature.payload().isEmpty()
                ? null
                : payloads.read(event, signature.payload().get());
    }

    private @Nullable Object invoke(List<@Nullable Object> arguments) throws Exception {
        Object bean = beans.getBean(beanName);
        Method invocable = AopUtils.selectInvocableMethod(method, bean.getClass());
        ReflectionUtils.makeAccessible(invocable);
        try {
            return invocable.invoke(bean, arguments.toArray());
        } catch (InvocationTargetException e) {
            ReflectionUtils.rethrowException(e.getTargetException());
            throw e;
        }
    }

    @Override
    public String toString() {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }
}
