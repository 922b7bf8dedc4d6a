/** Signatures of Standard Webhooks: {@code v1} (HMAC-SHA256) and {@code v1a} (Ed25519). */
@NullMarked
package io.redrive.server.webhook.signature;

import org.jspecify.annotations.NullMarked;
