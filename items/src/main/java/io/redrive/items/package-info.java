/**
 * Samples through stages, every one accounted for. {@link io.redrive.items.ItemPipeline} says what is done to each sample;
 * {@code Run} in the package {@code io.redrive.items.run} does it, {@code RunStore} in {@code io.redrive.items.store} keeps
 * what was done, and {@code RunReport} in {@code io.redrive.items.report} tells of it.
 */
package io.redrive.items;
