/**
 * Redrive in Spring Boot: the starter creates a store, a bus and a pipeline; annotations mark handlers of events and methods
 * to retry; actors are beans.
 *
 * <dl>
 * <dt>settings</dt>
 * <dd>The properties below {@code redrive} ({@link io.redrive.spring.RedriveProperties}), and the policies, budgets and
 * breakers made from the properties ({@link io.redrive.spring.RedriveSettings}). A setting that may be absent is nullable.</dd>
 * <dt>rebind</dt>
 * <dd>Reads policies and budgets from the environment again while the application runs.</dd>
 * <dt>bus</dt>
 * <dd>{@link io.redrive.spring.EventBus}, the bean that publishes events.</dd>
 * <dt>publish route</dt>
 * <dd>How events get from the bus to the store: at once, as part of the current transaction, or after its commit.</dd>
 * <dt>handler method</dt>
 * <dd>A method with {@link io.redrive.spring.OnEvent}.</dd>
 * <dt>pattern</dt>
 * <dd>Event names that a handler method or a policy applies to, for example {@code order.*}.</dd>
 * <dt>retried method</dt>
 * <dd>A method with {@link io.redrive.spring.RetryWith}, or of a class with this annotation.</dd>
 * </dl>
 */
@NullMarked
package io.redrive.spring;

import org.jspecify.annotations.NullMarked;
