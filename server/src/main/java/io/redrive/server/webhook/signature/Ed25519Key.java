package io.redrive.server.webhook.signature;

import io.redrive.core.SettingException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.EdECPrivateKey;
import java.security.spec.EdECPrivateKeySpec;
import java.security.spec.NamedParameterSpec;
import java.util.Arrays;
import java.util.Base64;

/**
 * A private key {@code whsk_…} of 64 bytes, 32 of the seed and 32 of the public key; signs by Ed25519, scheme {@code v1a}. A
 * receiver needs only the public key {@code whpk_…}.
 */
public final class Ed25519Key implements SigningKey {

    static final String PREFIX = "whsk_";
    private static final String SCHEME = Ed25519PublicKey.SCHEME;
    private static final String ALGORITHM = Ed25519PublicKey.ALGORITHM;
    private static final int HALF = Ed25519PublicKey.BYTES;

    private final byte[] seed;
    private final PrivateKey privateKey;
    private final Ed25519PublicKey publicKey;

    private Ed25519Key(byte[] seed, PrivateKey privateKey, Ed25519PublicKey publicKey) {
        this.seed = seed;
        this.privateKey = privateKey;
        this.publicKey = publicKey;
    }

    static Ed25519Key parse(String setting, String text) {
        byte[] both = KeyBytes.decode(setting, PREFIX, text, 2 * HALF, 2 * HALF);
        byte[] seed = Arrays.copyOf(both, HALF);
        try {
            PrivateKey secret = KeyFactory.getInstance(ALGORITHM)
                    .generatePrivate(new EdECPrivateKeySpec(NamedParameterSpec.ED25519, seed));
            Ed25519Key key = new Ed25519Key(
                    seed, secret, Ed25519PublicKey.of(setting, Arrays.copyOfRange(both, HALF, 2 * HALF)));
            SignedMessage probe = new SignedMessage("probe", 0, new byte[0]);
            if (key.verify(probe, key.signature(probe))) {
                return key;
            }
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has " + ALGORITHM, e);
        }
        throw SettingException.of(
                setting, "must hold a seed and the public key of that seed, 32 bytes each", KeyBytes.HIDDEN);
    }

    static Ed25519Key generate(SecureRandom random) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(ALGORITHM);
            generator.initialize(NamedParameterSpec.ED25519, random);
            KeyPair pair = generator.generateKeyPair();
            byte[] seed = ((EdECPrivateKey) pair.getPrivate())
                    .getBytes()
                    .orElseThrow(() -> new IllegalStateException("a generated key has its bytes"));
            return new Ed25519Key(seed, pair.getPrivate(), new Ed25519PublicKey(pair.getPublic()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has " + ALGORITHM, e);
        }
    }

    @Override
    public String scheme() {
        return SCHEME;
    }

    @Override
    public String sign(SignedMessage message) {
        return SCHEME + "," + Base64.getEncoder().encodeToString(signature(message));
    }

    @Override
    public boolean verify(SignedMessage message, byte[] signature) {
        return publicKey.verify(message, signature);
    }

    @Override
    public String text() {
        byte[] both = Arrays.copyOf(seed, 2 * HALF);
        System.arraycopy(publicKey.bytes(), 0, both, HALF, HALF);
        return PREFIX + Base64.getEncoder().encodeToString(both);
    }

    @Override
    public String receiverText() {
        return publicKey.text();
    }

    @Override
    public String toString() {
        return PREFIX + KeyBytes.HIDDEN;
    }

    private byte[] signature(SignedMessage message) {
        try {
            Signature signature = Signature.getInstance(ALGORITHM);
            signature.initSign(privateKey);
            signature.update(message.content());
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a checked key signs", e);
        }
    }
}
