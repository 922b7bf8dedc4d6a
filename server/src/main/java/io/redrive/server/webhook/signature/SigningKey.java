package io.redrive.server.webhook.signature;

/**
 * A secret that signs webhooks: an {@code HmacKey} ({@code whsec_…}) or an {@code Ed25519Key} ({@code whsk_…}). Immutable;
 * {@code toString} hides the secret.
 */
public interface SigningKey extends MessageVerifier {

    /** Returns the signature as it stands in {@code webhook-signature}: scheme, comma, base64. */
    String sign(SignedMessage message);

    /** Returns the secret with its prefix, for the person who sets up the receiver. */
    String text();

    /** Returns the text that a receiver verifies with: the secret itself, or the public key {@code whpk_…}. */
    String receiverText();
}
