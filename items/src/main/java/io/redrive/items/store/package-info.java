/** What is stored about runs: the port {@link io.redrive.items.store.RunStore}, its records, and a store in memory. */
package io.redrive.items.store;
