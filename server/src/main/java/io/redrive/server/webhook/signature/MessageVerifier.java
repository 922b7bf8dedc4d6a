package io.redrive.server.webhook.signature;

/** Verifies signatures of one scheme with one key. Thread-safe; the text of the key appears in no message. */
public interface MessageVerifier {

    /** Returns the name of the scheme in front of the comma of a signature: {@code v1} or {@code v1a}. */
    String scheme();

    /**
     * Returns true when the signature was made for this very message by the owner of the key. Takes the same time wherever a
     * wrong signature differs.
     *
     * @param signature the bytes behind the comma of a signature, decoded
     */
    boolean verify(SignedMessage message, byte[] signature);
}
