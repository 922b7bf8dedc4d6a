/**
 * Retries and pipelines as Micrometer meters, with tags that stay bounded. Start at {@link io.redrive.micrometer.RetryMetrics}
 * for calls and at {@link io.redrive.micrometer.PipelineMetrics} for events.
 */
package io.redrive.micrometer;
