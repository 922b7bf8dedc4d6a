package io.redrive.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Retries a method of a bean, or all of them, under a policy from the settings.
 *
 * <pre>{@code
 * @RetryWith("payments")
 * public Receipt charge(Order order) { … }
 * }</pre>
 *
 * <p>{@code redrive.policies.payments.max-attempts: 5} and so on; or the name of a preset. The caller gets the value or the
 * original exception of the last attempt. A method that returns a {@code CompletionStage} is retried without holding a
 * thread. Settings changed at run time hold from the next call on.
 *
 * <p>Works through a proxy, like {@code @Transactional}: for calls from other beans. It is outside of {@code @Transactional},
 * so that each attempt has a transaction of its own, and inside of {@code @Async}.
 */
@Documented
@Inherited
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface RetryWith {

    /** The name of the policy. */
    String value();

    /** The name in logs and metrics; by default that of class and method. */
    String name() default "";

    /** The name of a circuit breaker, {@code redrive.breakers.NAME}, to put around the whole call. */
    String breaker() default "";

    /** The name of a retry budget, {@code redrive.budgets.NAME}. */
    String budget() default "";

    /** A limit for each attempt, such as {@code 2s}; the method has to declare {@code throws TimeoutException}. */
    String timeout() default "";
}
