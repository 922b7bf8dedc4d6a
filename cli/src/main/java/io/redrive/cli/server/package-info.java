/**
 * Commands about a server: how it stands, and its routes of webhooks.
 *
 * <dl>
 *   <dt>server</dt>
 *   <dd>a process that {@code redrive serve} started
 *   <dt>route</dt>
 *   <dd>delivers events of some names to a URL, as webhooks
 * </dl>
 */
@NullMarked
package io.redrive.cli.server;

import org.jspecify.annotations.NullMarked;
