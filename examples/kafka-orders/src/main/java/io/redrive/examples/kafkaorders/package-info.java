/** Orders that arrive as records of a topic. */
@NullMarked
package io.redrive.examples.kafkaorders;

import org.jspecify.annotations.NullMarked;
