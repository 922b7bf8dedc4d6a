package io.redrive.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method of a bean that handles events whose names fit a pattern. It is done when it returns, and failed when it
 * throws.
 *
 * <pre>{@code
 * @OnEvent("order.*")
 * void ship(OrderPaid order, Event event) { … }
 *
 * @OnEvent("invoice.*")
 * void send(List<Invoice> invoices) { … }
 * }</pre>
 *
 * <p>For single events the method takes the payload, the {@link io.redrive.events.Event}, or both, and an
 * {@link io.redrive.pipeline.EventContext} if it wants to know which attempt it is; it returns nothing or an
 * {@link io.redrive.pipeline.Outcome}. For batches it takes a list of payloads, a list of events, an
 * {@link io.redrive.pipeline.EventBatch}, or several of these; both lists have the same order. A payload is a
 * {@code String}, a {@code byte[]}, or read from JSON; one that cannot be read makes its event a dead letter,
 * {@code invalid_event}. Mistakes in the signature are found when the application starts.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface OnEvent {

    /** Patterns of event names, such as {@code order.*}; may have placeholders. The most specific of all handlers wins. */
    String[] value();
}
