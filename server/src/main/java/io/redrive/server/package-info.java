/**
 * Redrive as one process: events come in over HTTP, operators give commands over HTTP. The server holds no rules about events and
 * letters: each request becomes one call of {@link io.redrive.operations.Operations}, which checks the role and records the change.
 * The terms, in the order in which a reader meets them:
 *
 * <dl>
 *   <dt>server</dt>
 *   <dd>One process of this module on a store. Several servers and applications may share a PostgreSQL database.
 *   <dt>configuration</dt>
 *   <dd>The settings of a server: a YAML file, changed by environment variables. A <em>live</em> setting changes without a restart.
 *   <dt>caller</dt>
 *   <dd>The person or program that sends a request. A caller is an {@link io.redrive.operations.Operator} with a role.
 *   <dt>problem</dt>
 *   <dd>The answer to a refused request (RFC 9457), with field, value and rule.
 * </dl>
 */
@NullMarked
package io.redrive.server;

import org.jspecify.annotations.NullMarked;
