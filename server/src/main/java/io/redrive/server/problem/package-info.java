/** Answers to refused requests, as RFC 9457 describes them. */
@NullMarked
package io.redrive.server.problem;

import org.jspecify.annotations.NullMarked;
