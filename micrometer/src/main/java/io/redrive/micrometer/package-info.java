/** Retries as Micrometer meters, with tags that stay bounded. Start at {@link io.redrive.micrometer.RetryMetrics}. */
package io.redrive.micrometer;
