/**
 * Samples through stages, every one accounted for. {@link io.redrive.items.ItemPipeline} says what is done to each sample,
 * {@link io.redrive.items.Run} does it, {@link io.redrive.items.RunStore} remembers it.
 */
package io.redrive.items;
