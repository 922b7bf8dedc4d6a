package io.redrive.spring;

import io.redrive.core.AttemptTimeoutException;
import io.redrive.core.DurationText;
import io.redrive.core.Retry;
import io.redrive.core.RetryListener;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/** A method under {@link RetryWith}: what it says, and the {@link Retry} made of it under the settings of the moment. */
final class RetriedMethod {

    private final Method method;
    private final RetryWith with;
    private final String name;
    private volatile Made made;

    private record Made(Object edition, Retry retry) {}

    private RetriedMethod(Method method, RetryWith with, Class<?> type) {
        this.method = method;
        this.with = with;
        name = with.name().isEmpty() ? type.getSimpleName() + "." + method.getName() : with.name();
    }

    /** The annotation of the method, else of its class. */
    static RetriedMethod of(Method method, Class<?> type) {
        Class<?> target = ClassUtils.getUserClass(type);
        Method specific = ClassUtils.getMostSpecificMethod(method, target);
        RetryWith onMethod = AnnotatedElementUtils.findMergedAnnotation(specific, RetryWith.class);
        RetryWith with =
                onMethod == null ? AnnotatedElementUtils.findMergedAnnotation(target, RetryWith.class) : onMethod;
        return with == null ? null : new RetriedMethod(specific, with, target);
    }

    boolean isAsync() {
        return CompletionStage.class.isAssignableFrom(method.getReturnType());
    }

    String name() {
        return name;
    }

    Retry retry(RetryMethodInterceptor.Dependencies around) {
        Made now = made;
        if (now == null || now.edition != around.settings().edition()) {
            Retry retry = make(around.settings(), around.listeners()).time(around.time());
            now = new Made(around.settings().edition(), retry);
            made = now;
        }
        return now.retry;
    }

    /** Finds out at the start what would else fail at the first call. */
    void check(RedriveSettings settings) {
        if (isAsync() && !method.getReturnType().isAssignableFrom(CompletableFuture.class)) {
            throw wrong("returns " + method.getReturnType().getSimpleName()
                    + "; of asynchronous results only CompletionStage, CompletableFuture and Future can be retried");
        }
        for (Class<?> type : ClassUtils.getAllInterfacesForClass(method.getReturnType())) {
            if (type.getName().equals("org.reactivestreams.Publisher")) {
                throw wrong("returns a reactive type, which cannot be retried from outside; use its own retryWhen");
            }
        }
        if (!with.timeout().isEmpty() && !isAsync() && !declares(AttemptTimeoutException.class)) {
            throw wrong("has a timeout and so has to declare throws TimeoutException;"
                    + " undeclared, it would reach callers inside another exception");
        }
        try {
            make(settings, List.of());
        } catch (IllegalArgumentException e) {
            throw wrong("cannot be retried: " + e.getMessage());
        }
    }

    private boolean declares(Class<? extends Exception> thrown) {
        return Arrays.stream(method.getExceptionTypes()).anyMatch(declared -> declared.isAssignableFrom(thrown));
    }

    private Retry make(RedriveSettings settings, List<RetryListener> listeners) {
        Retry retry = Retry.with(settings.policy(with.value())).named(name);
        if (!with.breaker().isEmpty()) {
            retry = retry.breaker(settings.breaker(with.breaker()));
        }
        if (!with.budget().isEmpty()) {
            retry = retry.budget(settings.budget(with.budget()));
        }
        if (!with.timeout().isEmpty()) {
            retry = retry.timeout(DurationText.parse(with.timeout()));
        }
        for (RetryListener listener : listeners) {
            retry = retry.listener(listener);
        }
        return retry;
    }

    private IllegalStateException wrong(String what) {
        return new IllegalStateException("@RetryWith method "
                + method.getDeclaringClass().getSimpleName() + "." + method.getName() + " " + what);
    }
}
