package io.redrive.server.webhook.signature;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A symmetric secret {@code whsec_…} of 24 to 64 bytes; signs by HMAC-SHA256, scheme {@code v1}. */
public final class HmacKey implements SigningKey {

    static final String PREFIX = "whsec_";
    private static final String SCHEME = "v1";
    private static final String ALGORITHM = "HmacSHA256";
    private static final int LEAST_BYTES = 24;
    private static final int MOST_BYTES = 64;
    private static final int NEW_BYTES = 32;

    private final SecretKeySpec key;
    /** A code that was given the key already; each signature begins with a copy, which costs less than a look-up. */
    private final Mac keyed;

    private HmacKey(byte[] bytes) {
        key = new SecretKeySpec(bytes, ALGORITHM);
        keyed = keyed(key);
    }

    static HmacKey parse(String setting, String text) {
        return new HmacKey(KeyBytes.decode(setting, PREFIX, text, LEAST_BYTES, MOST_BYTES));
    }

    static HmacKey generate(SecureRandom random) {
        byte[] bytes = new byte[NEW_BYTES];
        random.nextBytes(bytes);
        return new HmacKey(bytes);
    }

    /** Returns HMAC-SHA256 of {@code content}, for senders with a signature of their own. */
    public static byte[] hmac(byte[] secret, byte[] content) {
        return keyed(new SecretKeySpec(secret, ALGORITHM)).doFinal(content);
    }

    @Override
    public String scheme() {
        return SCHEME;
    }

    @Override
    public String sign(SignedMessage message) {
        return SCHEME + "," + Base64.getEncoder().encodeToString(mac(message.content()));
    }

    @Override
    public boolean verify(SignedMessage message, byte[] signature) {
        return MessageDigest.isEqual(mac(message.content()), signature);
    }

    @Override
    public String text() {
        return PREFIX + Base64.getEncoder().encodeToString(key.getEncoded());
    }

    @Override
    public String receiverText() {
        return text();
    }

    @Override
    public String toString() {
        return PREFIX + KeyBytes.HIDDEN;
    }

    private byte[] mac(byte[] content) {
        try {
            return ((Mac) keyed.clone()).doFinal(content);
        } catch (CloneNotSupportedException e) {
            return keyed(key).doFinal(content);
        }
    }

    private static Mac keyed(SecretKeySpec key) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has " + ALGORITHM, e);
        }
    }
}
