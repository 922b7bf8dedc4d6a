/**
 * The operations of an operator over the HTTP API of a server. Commands use the same facade, {@link
 * io.redrive.operations.Operations}, for a store and for a server.
 *
 * <dl>
 *   <dt>server</dt>
 *   <dd>a process that {@code redrive serve} started, named by the URL of its root
 *   <dt>credentials</dt>
 *   <dd>a token, or a name with a password; they come from the environment or a file, never from the command line
 *   <dt>problem</dt>
 *   <dd>the answer of a server to a refused request (RFC 9457)
 *   <dt>reader</dt>
 *   <dd>makes a value of the facade from the JSON of an answer; the server's resources write the same JSON
 * </dl>
 */
@NullMarked
package io.redrive.cli.remote;

import org.jspecify.annotations.NullMarked;
