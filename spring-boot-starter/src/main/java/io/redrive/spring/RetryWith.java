package io.redrive.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Retries calls of a method, or of all methods of a class, under a policy from the settings.
 *
 * <pre>{@code
 * @RetryWith("payments")
 * public Receipt charge(Order order) { … }
 * }</pre>
 *
 * <p>The policy {@code payments} is set below {@code redrive.policies.payments}, for example
 * {@code redrive.policies.payments.max-attempts: 5}, or is the preset of this name. The caller gets the value, or the
 * original exception of the last attempt. A method with the return type {@code CompletionStage} is retried without holding a
 * thread. Settings changed at run time hold from the next call on.
 *
 * <p>Works through a proxy, like {@code @Transactional}: only calls from other beans are retried. The retry is outside of
 * {@code @Transactional}, which gives each attempt a new transaction, and inside of {@code @Async}.
 */
@Documented
@Inherited
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface RetryWith {

    /** The name of the policy, {@code redrive.policies.NAME}, or of a preset. */
    String value();

    /** The name in logs and metrics; by default class and method, {@code Class.method}. */
    String name() default "";

    /** The name of a circuit breaker, {@code redrive.breakers.NAME}, to put around the whole call. */
    String breaker() default "";

    /** The name of a retry budget, {@code redrive.budgets.NAME}. */
    String budget() default "";

    /** A limit for each attempt, such as {@code 2s}; the method has to declare {@code throws TimeoutException}. */
    String timeout() default "";
}
