/** Simulations of clients that retry, with the decisions of core and manual time: contention, overload, rate limits. */
@NullMarked
package io.redrive.examples.simulation;

import org.jspecify.annotations.NullMarked;
