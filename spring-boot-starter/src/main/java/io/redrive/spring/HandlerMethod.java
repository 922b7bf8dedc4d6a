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
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.ReflectionUtils;

/** One {@link OnEvent} method. The bean is asked for when the first event arrives: until then it need not exist. */
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
        Object payload = null;
        if (signature.payload() != null) {
            try {
                payload = payloads.read(event, signature.payload());
            } catch (RuntimeException unreadable) {
                return Outcome.invalid(unreadable);
            }
        }
        List<Object> arguments = new ArrayList<>();
        for (HandlerSignature.Kind kind : signature.parameters()) {
            arguments.add(
                    switch (kind) {
                        case EVENT -> event;
                        case CONTEXT -> context;
                        default -> payload;
                    });
        }
        Object returned = invoke(arguments);
        return method.getReturnType() == void.class ? Outcome.done() : (Outcome) returned;
    }

    private void handleBatch(EventBatch batch) throws Exception {
        List<Event> events = new ArrayList<>();
        List<Object> read = new ArrayList<>();
        for (Event event : batch.events()) {
            try {
                read.add(signature.payload() == null ? null : payloads.read(event, signature.payload()));
                events.add(event);
            } catch (RuntimeException unreadable) {
                batch.invalid(event, unreadable);
            }
        }
        if (events.isEmpty()) {
            return;
        }
        List<Object> arguments = new ArrayList<>();
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

    private Object invoke(List<Object> arguments) throws Exception {
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
