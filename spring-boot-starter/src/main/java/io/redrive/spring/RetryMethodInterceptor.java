package io.redrive.spring;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.redrive.core.Operation;
import io.redrive.core.Retry;
import io.redrive.core.RetryListener;
import io.redrive.core.Time;
import java.lang.reflect.Method;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/** Retries calls of methods with {@link RetryWith}. */
final class RetryMethodInterceptor implements MethodInterceptor {

    private final Supplier<Dependencies> dependencies;
    private final Map<Key, Optional<RetriedMethod>> methods = new ConcurrentHashMap<>();

    private record Key(Method method, Class<?> type) {}

    /** Beans needed by calls. Supplied late: creating these beans together with the post-processor would be too early. */
    record Dependencies(
            RedriveSettings settings, List<RetryListener> listeners, Time time, ObservationRegistry observations) {}

    RetryMethodInterceptor(Supplier<Dependencies> dependencies) {
        this.dependencies = dependencies;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        Class<?> type = target == null ? invocation.getMethod().getDeclaringClass() : target.getClass();
        Optional<RetriedMethod> found = methods.computeIfAbsent(
                new Key(invocation.getMethod(), type), key -> RetriedMethod.of(key.method, key.type));
        if (found.isEmpty()) {
            return invocation.proceed();
        }
        RetriedMethod method = found.get();
        Dependencies beans = dependencies.get();
        Retry retry = method.retry(beans);
        return method.isAsync()
                ? retry.callAsync(() -> stage(invocation, method, beans.observations))
                : retry.call(attempt(invocation, method, beans.observations));
    }

    private static Operation<Object, Exception> attempt(
            MethodInvocation invocation, RetriedMethod method, ObservationRegistry observations) {
        if (observations.isNoop()) {
            return () -> proceed(invocation);
        }
        return () -> observation(method, observations).observeChecked(() -> proceed(invocation));
    }

    private static CompletionStage<Object> stage(
            MethodInvocation invocation, RetriedMethod method, ObservationRegistry observations) {
        Observation observation = observations.isNoop()
                ? Observation.NOOP
                : observation(method, observations).start();
        try (Observation.Scope scope = observation.openScope()) {
            @SuppressWarnings("unchecked")
            CompletionStage<Object> stage = (CompletionStage<Object>) proceed(invocation);
            return stage.whenComplete((value, error) -> end(observation, error));
        } catch (Exception | Error e) {
            end(observation, e);
            return CompletableFuture.failedFuture(e);
        }
    }

    private static void end(Observation observation, @Nullable Throwable error) {
        if (error != null) {
            observation.error(error);
        }
        observation.stop();
    }

    private static Observation observation(RetriedMethod method, ObservationRegistry observations) {
        return Observation.createNotStarted("retry.attempt", observations)
                .contextualName("attempt " + method.name())
                .lowCardinalityKeyValue("name", method.name());
    }

    /**
     * Proceeds on a copy in each attempt, because an invocation can pass through the interceptors only once. The result of a
     * void method is null, which the type variables of {@code Operation} and {@code Observation} allow; NullAway does not
     * read the bounds of type variables, hence the suppressed warning.
     */
    @SuppressWarnings("NullAway")
    private static Object proceed(MethodInvocation invocation) throws Exception {
        try {
            return ((ProxyMethodInvocation) invocation).invocableClone().proceed();
        } catch (Exception | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new UndeclaredThrowableException(e);
        }
    }
}
