/** Actors as beans that retry: rates of exchange from a service that is often away. */
package io.redrive.examples.actors;
