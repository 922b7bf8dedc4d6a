/** Secrets of routes in the store, encrypted with a key that is not in the store. */
@NullMarked
package io.redrive.server.webhook.secret;

import org.jspecify.annotations.NullMarked;
