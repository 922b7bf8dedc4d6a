/**
 * Retries, pipelines and item runs as Micrometer meters, with bounded tags. Start at {@link io.redrive.micrometer.RetryMetrics}
 * for calls and at {@link io.redrive.micrometer.PipelineMetrics} for events.
 *
 * <dl>
 * <dt>meter</dt><dd>a counter, timer, gauge or histogram of Micrometer, identified by its name and its tags</dd>
 * <dt>tag</dt><dd>a key and a value of a meter; values are bounded: no ids, no messages, no exception types</dd>
 * <dt>name</dt><dd>the name of a call, breaker, budget or actor, given by the application; names beyond a limit share the
 * tag {@code other}</dd>
 * <dt>observation</dt><dd>a publication or an attempt as Micrometer observes it; a span with a tracer</dd>
 * </dl>
 *
 * <p>Calls, attempts, breakers and budgets are defined in {@link io.redrive.core}, events and dead letters in
 * {@link io.redrive.events}.
 */
@NullMarked
package io.redrive.micrometer;

import org.jspecify.annotations.NullMarked;
