/**
 * The HTTP API. Each class ending in {@code Resource} answers the requests below one path and calls {@link
 * io.redrive.operations.Operations}. A refused request is answered with a {@link io.redrive.server.problem.Problem} and changes
 * nothing.
 */
@NullMarked
package io.redrive.server.http;

import org.jspecify.annotations.NullMarked;
