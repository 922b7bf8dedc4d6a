package io.redrive.server.webhook.signature;

import io.redrive.core.SettingException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;

/** The public half of an Ed25519 key, {@code whpk_…}: verifies, and signs nothing. */
public final class Ed25519PublicKey implements MessageVerifier {

    static final String PREFIX = "whpk_";
    static final String SCHEME = "v1a";
    static final String ALGORITHM = "Ed25519";
    /** Bytes of a public key, and of the seed of a private key. */
    static final int BYTES = 32;
    /** What stands before the 32 bytes of a public key in its X.509 form. */
    private static final byte[] X509_HEAD = HexFormat.of().parseHex("302a300506032b6570032100");

    private final PublicKey key;

    Ed25519PublicKey(PublicKey key) {
        this.key = key;
    }

    /**
     * Reads a public key.
     *
     * @param setting the setting that holds the key, for the message
     * @throws SettingException if the text is no public key
     */
    public static Ed25519PublicKey parse(String setting, String text) {
        if (!text.startsWith(PREFIX)) {
            throw SettingException.of(setting, "must begin with " + PREFIX, KeyBytes.HIDDEN);
        }
        return of(setting, KeyBytes.decode(setting, PREFIX, text, BYTES, BYTES));
    }

    static Ed25519PublicKey of(String setting, byte[] bytes) {
        byte[] encoded = Arrays.copyOf(X509_HEAD, X509_HEAD.length + bytes.length);
        System.arraycopy(bytes, 0, encoded, X509_HEAD.length, bytes.length);
        try {
            return new Ed25519PublicKey(
                    KeyFactory.getInstance(ALGORITHM).generatePublic(new X509EncodedKeySpec(encoded)));
        } catch (GeneralSecurityException e) {
            throw SettingException.of(setting, "must be a point of Ed25519", KeyBytes.HIDDEN);
        }
    }

    byte[] bytes() {
        byte[] encoded = key.getEncoded();
        return Arrays.copyOfRange(encoded, encoded.length - BYTES, encoded.length);
    }

    String text() {
        return PREFIX + Base64.getEncoder().encodeToString(bytes());
    }

    @Override
    public String scheme() {
        return SCHEME;
    }

    @Override
    public boolean verify(SignedMessage message, byte[] signature) {
        try {
            Signature verifier = Signature.getInstance(ALGORITHM);
            verifier.initVerify(key);
            verifier.update(message.content());
            return verifier.verify(signature);
        } catch (GeneralSecurityException malformed) {
            return false;
        }
    }

    @Override
    public String toString() {
        return text();
    }
}
