/** Requests to destinations: addresses are checked before the connection, redirects are never followed, answers are bounded. */
@NullMarked
package io.redrive.server.webhook.http;

import org.jspecify.annotations.NullMarked;
