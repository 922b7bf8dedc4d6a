package io.redrive.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method of a bean as the handler of events whose names match a pattern. An event is done when the method returns,
 * and has failed when the method throws.
 *
 * <pre>{@code
 * @OnEvent("order.*")
 * void ship(OrderPaid order, Event event) { … }
 *
 * @OnEvent("invoice.*")
 * void send(List<Invoice> invoices) { … }
 * }</pre>
 *
 * <p>For single events the method takes the payload, the {@link io.redrive.events.Event}, or both, and optionally an
 * {@link io.redrive.pipeline.EventContext}, which has the number of the attempt; the method returns void or an
 * {@link io.redrive.pipeline.Outcome}. For batches the method takes a list of payloads, a list of events, an
 * {@link io.redrive.pipeline.EventBatch}, or several of these, and returns void; both lists have the same order. A payload
 * is a {@code String}, a {@code byte[]}, or an object read from JSON. An event with an unreadable payload becomes a dead
 * letter with the reason {@code invalid_event}. A wrong signature stops the start of the application.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface OnEvent {

    /**
     * Patterns of event names, for example {@code order.*}; placeholders are replaced. The most specific pattern of all
     * handlers wins.
     */
    String[] value();
}
