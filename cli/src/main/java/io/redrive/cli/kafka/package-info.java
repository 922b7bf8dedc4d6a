/**
 * The commands {@code redrive kafka …}: flows of records from topics, as the nodes of a store reported them. The terms are those of
 * {@link io.redrive.operations.flow}.
 */
@NullMarked
package io.redrive.cli.kafka;

import org.jspecify.annotations.NullMarked;
