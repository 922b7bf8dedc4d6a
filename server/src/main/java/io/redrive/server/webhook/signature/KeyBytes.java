package io.redrive.server.webhook.signature;

import io.redrive.core.SettingException;
import java.util.Base64;

/** Reads the base64 behind the prefix of a key. No message contains the text of a key. */
final class KeyBytes {

    static final String HIDDEN = "(hidden)";

    private KeyBytes() {}

    static byte[] decode(String key, String prefix, String text, int least, int most) {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(text.substring(prefix.length()));
        } catch (IllegalArgumentException notBase64) {
            // The cause would quote characters of the secret.
            throw SettingException.of(key, "must be base64 after " + prefix, HIDDEN);
        }
        if (bytes.length < least || bytes.length > most) {
            String rule = least == most ? least + " bytes" : least + " to " + most + " bytes";
            throw SettingException.of(
                    key, "must hold " + rule + " after " + prefix + ", holds " + bytes.length, HIDDEN);
        }
        return bytes;
    }
}
