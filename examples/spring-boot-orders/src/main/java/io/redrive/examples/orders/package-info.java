/** Orders over HTTP, shipped and invoiced by handlers of events in Spring Boot. */
@NullMarked
package io.redrive.examples.orders;

import org.jspecify.annotations.NullMarked;
