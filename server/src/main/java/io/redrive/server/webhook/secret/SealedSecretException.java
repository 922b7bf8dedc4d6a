package io.redrive.server.webhook.secret;

/** A stored secret that the key in use cannot open. */
public final class SealedSecretException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    SealedSecretException(String message) {
        super(message);
    }
}
