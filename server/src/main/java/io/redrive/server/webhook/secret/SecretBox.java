package io.redrive.server.webhook.secret;

import io.redrive.core.SettingException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts secrets for the store by AES-256-GCM. A sealed text names the key that sealed it, so that a wrong key is told from a
 * damaged text, and is bound to its owner: the sealed secret of one route opens for no other route. Thread-safe.
 */
public final class SecretBox {

    /** The environment variable that holds the key. */
    public static final String VARIABLE = "REDRIVE_SECRETS_KEY";
    /** How to make a key, for messages. */
    public static final String REMEDY = "make one with `openssl rand -base64 32` and set " + VARIABLE
            + ", or write it to a file and set webhooks.secrets-key-file";

    private static final String VERSION = "r1";
    private static final int KEY_BYTES = 32;
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final int ID_BYTES = 4;

    private final SecretKeySpec key;
    private final String keyId;
    private final SecureRandom random;

    private SecretBox(byte[] bytes, SecureRandom random) {
        key = new SecretKeySpec(bytes, "AES");
        keyId = idOf(bytes);
        this.random = random;
    }

    /**
     * Reads a key: the base64 of 32 bytes.
     *
     * @param setting the setting or variable that holds the key, for the message
     * @throws SettingException if the text is no key; the message leaves the text out
     */
    public static SecretBox of(String setting, String text, SecureRandom random) {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(text.strip());
        } catch (IllegalArgumentException notBase64) {
            bytes = new byte[0];
        }
        if (bytes.length != KEY_BYTES) {
            throw SettingException.of(setting, "must be the base64 of 32 bytes; " + REMEDY, "(hidden)");
        }
        return new SecretBox(bytes, random);
    }

    /**
     * Reads the key from a file.
     *
     * @throws SettingException if the file cannot be read or holds no key
     */
    public static SecretBox ofFile(String setting, Path file, SecureRandom random) {
        try {
            return of(setting, Files.readString(file), random);
        } catch (IOException e) {
            throw SettingException.of(
                    setting, "must be a readable file that holds the key; " + REMEDY, file.toString());
        }
    }

    /** Encrypts a secret of {@code owner}. */
    public String seal(String owner, String secret) {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        try {
            Cipher cipher = cipher(Cipher.ENCRYPT_MODE, nonce, owner);
            byte[] sealed = cipher.doFinal(secret.getBytes(StandardCharsets.UTF_8));
            byte[] all = Arrays.copyOf(nonce, NONCE_BYTES + sealed.length);
            System.arraycopy(sealed, 0, all, NONCE_BYTES, sealed.length);
            return VERSION + ":" + keyId + ":" + Base64.getEncoder().encodeToString(all);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has AES-GCM", e);
        }
    }

    /**
     * Decrypts a sealed secret of {@code owner}.
     *
     * @throws SealedSecretException if another key sealed the text, or the text was changed
     */
    public String open(String owner, String sealed) {
        String[] parts = sealed.split(":", 3);
        if (parts.length != 3 || !parts[0].equals(VERSION)) {
            throw new SealedSecretException("the stored secret of '" + owner + "' is damaged");
        }
        if (!parts[1].equals(keyId)) {
            throw new SealedSecretException("the stored secret of '" + owner + "' was sealed with key " + parts[1]
                    + ", but the key in use is " + keyId + "; put the former key back, or make a new secret with"
                    + " POST /api/v1/routes/" + owner + "/rotate");
        }
        try {
            byte[] all = Base64.getDecoder().decode(parts[2]);
            byte[] nonce = Arrays.copyOf(all, NONCE_BYTES);
            byte[] plain =
                    cipher(Cipher.DECRYPT_MODE, nonce, owner).doFinal(all, NONCE_BYTES, all.length - NONCE_BYTES);
            return new String(plain, StandardCharsets.UTF_8);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new SealedSecretException(
                    "the stored secret of '" + owner + "' is damaged, or belongs to another owner");
        }
    }

    @Override
    public String toString() {
        return "key " + keyId;
    }

    private Cipher cipher(int mode, byte[] nonce, String owner) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD(owner.getBytes(StandardCharsets.UTF_8));
        return cipher;
    }

    private static String idOf(byte[] bytes) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
            return HexFormat.of().formatHex(hash, 0, ID_BYTES);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
