/** The commands of the server's jar, which the launcher starts for {@code redrive serve} and {@code redrive config}. */
@NullMarked
package io.redrive.server.command;

import org.jspecify.annotations.NullMarked;
