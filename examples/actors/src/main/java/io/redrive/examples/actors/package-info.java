/** Actors as beans with retries: exchange rates from a service with frequent failures. */
@NullMarked
package io.redrive.examples.actors;

import org.jspecify.annotations.NullMarked;
