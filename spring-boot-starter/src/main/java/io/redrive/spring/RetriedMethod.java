package io.redrive.spring;

import io.redrive.core.AttemptTimeoutException;
import io.redrive.core.DurationText;
import io.redrive.core.Retry;
import io.redrive.core.RetryListener;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/** A method with {@link RetryWith}, and the {@link Retry} made from the annotation and the current settings. */
final class RetriedMethod {

    private final Method method;
    private final RetryWith with;
    private final String name;
    private volatile @Nullable CachedRetry cached;

    private record CachedRetry(Object version, Retry retry) {}

    private RetriedMethod(Method method, RetryWith with, Class<?> type) {
        this.method = method;
        this.with = with;
        name = with.name().isEmpty() ? type.getSimpleName() + "." + method.getName() : with.name();
    }

    /** Looks for the annotation on the method, and after that on the class; empty without an annotation. */
    static Optional<RetriedMethod> of(Method method, Class<?> type) {
        Class<?> target = ClassUtils.getUserClass(type);
        Method specific = ClassUtils.getMostSpecificMethod(method, target);
        RetryWith onMethod = AnnotatedElementUtils.findMergedAnnotation(specific, RetryWith.class);
        RetryWith with =
                onMethod == null ? AnnotatedElementUtils.findMergedAnnotation(target, RetryWith.class) : onMethod;
        return Optional.ofNullable(with).map(found -> new RetriedMethod(specific, found, target));
    }

    boolean isAsync() {
        return CompletionStage.class.isAssignableFrom(method.getReturnType());
    }

    String name() {
        return name;
    }

    Retry retry(RetryMethodInterceptor.Dependencies dependencies) {
        RedriveSettings settings = dependencies.settings();
        CachedRetry current = cached;
        if (current == null || current.version != settings.version()) {
            Retry retry = make(settings, dependencies.listeners()).time(dependencies.time());
            current = new CachedRetry(settings.version(), retry);
            cached = current;
        }
        return current.retry;
    }

    /** Refuses at the start a method whose first call would fail. */
    void check(RedriveSettings settings) {
        if (isAsync() && !method.getReturnType().isAssignableFrom(CompletableFuture.class)) {
            throw invalid(
                    "returns " + method.getReturnType().getSimpleName()
                            + "; the only asynchronous return types that can be retried are CompletionStage, CompletableFuture and Future");
        }
        for (Class<?> type : ClassUtils.getAllInterfacesForClass(method.getReturnType())) {
            if (type.getName().equals("org.reactivestreams.Publisher")) {
                throw invalid("returns a reactive type, which cannot be retried from outside; use its own retryWhen");
            }
        }
        if (!with.timeout().isEmpty() && !isAsync() && !declares(AttemptTimeoutException.class)) {
            throw invalid("has a timeout and must declare throws TimeoutException;"
                    + " otherwise callers would get it wrapped in an UndeclaredThrowableException");
        }
        try {
            make(settings, List.of());
        } catch (IllegalArgumentException e) {
            throw invalid("cannot be retried: " + e.getMessage());
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

    private IllegalStateException invalid(String what) {
        return new IllegalStateException("@RetryWith method "
                + method.getDeclaringClass().getSimpleName() + "." + method.getName() + " " + what);
    }
}
