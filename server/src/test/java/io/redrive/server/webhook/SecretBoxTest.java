package io.redrive.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.SettingException;
import io.redrive.server.webhook.secret.SealedSecretException;
import io.redrive.server.webhook.secret.SecretBox;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretBoxTest {

    private final SecureRandom random = new SecureRandom();
    private final SecretBox box = SecretBox.of("KEY", key(), random);

    private String key() {
        byte[] bytes = new byte[32];
        random.nextBytes(bytes);
        return Base64.getEncoder().encodeToString(bytes);
    }

    @Test
    void a_sealed_secret_opens_for_its_owner_alone_and_looks_different_each_time() {
        String one = box.seal("billing", "whsec_secret");

        assertThat(box.open("billing", one)).isEqualTo("whsec_secret");
        assertThat(one).doesNotContain("secret").isNotEqualTo(box.seal("billing", "whsec_secret"));
        assertThatThrownBy(() -> box.open("shipping", one)).isInstanceOf(SealedSecretException.class);
    }

    @Test
    void a_changed_byte_is_damage_at_every_position() {
        String sealed = box.seal("billing", "whsec_secret");
        int start = sealed.lastIndexOf(':') + 1;
        byte[] bytes = Base64.getDecoder().decode(sealed.substring(start));
        for (int i = 0; i < bytes.length; i++) {
            byte[] flipped = bytes.clone();
            flipped[i] ^= 1;
            String changed = sealed.substring(0, start) + Base64.getEncoder().encodeToString(flipped);
            assertThatThrownBy(() -> box.open("billing", changed))
                    .isInstanceOf(SealedSecretException.class)
                    .hasMessageContaining("damaged");
        }
        for (String broken :
                new String[] {"", "r1", "r1:x", sealed.substring(0, start), sealed.substring(0, start + 8)}) {
            assertThatThrownBy(() -> box.open("billing", broken)).isInstanceOf(SealedSecretException.class);
        }
    }

    @Test
    void a_lost_key_is_told_from_a_damaged_text_with_both_remedies() {
        String sealed = SecretBox.of("KEY", key(), random).seal("billing", "whsec_secret");

        assertThatThrownBy(() -> box.open("billing", sealed))
                .isInstanceOf(SealedSecretException.class)
                .hasMessageContaining("put the former key back")
                .hasMessageContaining("POST /api/v1/routes/billing/rotate");
    }

    @Test
    void a_bad_key_is_refused_with_how_to_make_one_and_without_its_text(@TempDir Path folder) throws Exception {
        assertThatThrownBy(() -> SecretBox.of("REDRIVE_SECRETS_KEY", "hunter2", random))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("openssl rand -base64 32")
                .hasMessageNotContaining("hunter2");
        assertThatThrownBy(() -> SecretBox.ofFile("webhooks.secrets-key-file", folder.resolve("none"), random))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("webhooks.secrets-key-file: must be a readable file");

        Path file = Files.writeString(folder.resolve("key"), key() + "\n");
        assertThat(SecretBox.ofFile("webhooks.secrets-key-file", file, random).toString())
                .matches("key [0-9a-f]{8}");
    }
}
