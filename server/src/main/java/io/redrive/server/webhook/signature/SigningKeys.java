package io.redrive.server.webhook.signature;

import io.redrive.core.SettingException;
import java.security.SecureRandom;

/** Reads and makes keys of all schemes. */
public final class SigningKeys {

    private SigningKeys() {}

    /**
     * Reads a secret by its prefix.
     *
     * @param key the setting that holds the secret, for the message
     * @throws SettingException if the text is no secret; the message leaves the text out
     */
    public static SigningKey parse(String key, String text) {
        if (text.startsWith(HmacKey.PREFIX)) {
            return HmacKey.parse(key, text);
        }
        if (text.startsWith(Ed25519Key.PREFIX)) {
            return Ed25519Key.parse(key, text);
        }
        String hint = text.startsWith(Ed25519PublicKey.PREFIX) ? "; whpk_… is a public key, which only verifies" : "";
        throw SettingException.of(
                key, "must begin with whsec_ (HMAC-SHA256) or whsk_ (Ed25519)" + hint, KeyBytes.HIDDEN);
    }

    /** Makes a new secret of a scheme: {@code v1a} for Ed25519, otherwise HMAC-SHA256. */
    public static SigningKey generate(String scheme, SecureRandom random) {
        return scheme.equals(Ed25519PublicKey.SCHEME) ? Ed25519Key.generate(random) : HmacKey.generate(random);
    }
}
