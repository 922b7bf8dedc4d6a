package io.redrive.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.standardwebhooks.Webhook;
import io.redrive.core.SettingException;
import io.redrive.server.webhook.signature.Ed25519PublicKey;
import io.redrive.server.webhook.signature.SignedMessage;
import io.redrive.server.webhook.signature.SigningKey;
import io.redrive.server.webhook.signature.SigningKeys;
import java.nio.charset.StandardCharsets;
import java.security.KeyFactory;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SignatureTest {

    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private final SecureRandom random = new SecureRandom();

    @Test
    void the_example_of_the_specification_has_its_signature() {
        SigningKey key = SigningKeys.parse("secret", SECRET);
        SignedMessage message = new SignedMessage(
                "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8));

        assertThat(key.sign(message)).isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    @Test
    void the_library_of_standard_webhooks_verifies_v1() throws Exception {
        SigningKey key = SigningKeys.generate("v1", random);
        String body = "{\"total\": 12, \"name\": \"Müller\"}";
        long now = Instant.now().getEpochSecond();
        SignedMessage message = new SignedMessage("msg_1", now, body.getBytes(StandardCharsets.UTF_8));
        Map<String, List<String>> headers = Map.of(
                "webhook-id", List.of("msg_1"),
                "webhook-timestamp", List.of(Long.toString(now)),
                "webhook-signature", List.of(key.sign(message)));

        Webhook receiver = new Webhook(key.receiverText());

        assertThatCode(() -> receiver.verify(body, headers)).doesNotThrowAnyException();
        assertThatThrownBy(() -> receiver.verify(body + " ", headers)).hasMessageContaining("signature");
    }

    @Test
    void v1a_is_verified_by_hand_with_the_public_key_alone() throws Exception {
        SigningKey key = SigningKeys.generate("v1a", random);
        byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
        String signature = key.sign(new SignedMessage("msg_1", 1_700_000_000, body));
        assertThat(signature).startsWith("v1a,");

        byte[] point = Base64.getDecoder().decode(key.receiverText().substring("whpk_".length()));
        byte[] x509 = HexFormat.of()
                .parseHex("302a300506032b6570032100" + HexFormat.of().formatHex(point));
        Signature verifier = Signature.getInstance("Ed25519");
        verifier.initVerify(KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(x509)));
        verifier.update("msg_1.1700000000.{}".getBytes(StandardCharsets.UTF_8));

        assertThat(verifier.verify(Base64.getDecoder().decode(signature.substring(4))))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"v1", "v1a"})
    void a_key_survives_its_text_and_verifies_only_what_it_signed(String scheme) {
        SigningKey key = SigningKeys.generate(scheme, random);
        SigningKey read = SigningKeys.parse("secret", key.text());
        SignedMessage message = new SignedMessage("msg_1", 7, new byte[] {1, 2, 3});
        byte[] signature = Base64.getDecoder().decode(read.sign(message).substring(scheme.length() + 1));

        assertThat(key.verify(message, signature)).isTrue();
        assertThat(key.verify(new SignedMessage("msg_2", 7, message.body()), signature))
                .isFalse();
        assertThat(key.verify(new SignedMessage("msg_1", 8, message.body()), signature))
                .isFalse();
        assertThat(key.verify(message, new byte[0])).isFalse();
        for (int length = 0; length < signature.length; length++) {
            assertThat(key.verify(message, java.util.Arrays.copyOf(signature, length)))
                    .isFalse();
        }
        for (int bit = 0; bit < 8 * signature.length; bit++) {
            byte[] changed = signature.clone();
            changed[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(key.verify(message, changed)).as("bit %d", bit).isFalse();
        }
    }

    @Test
    void a_public_key_is_read_back_and_signs_nothing() {
        SigningKey key = SigningKeys.generate("v1a", random);
        Ed25519PublicKey half = Ed25519PublicKey.parse("secret", key.receiverText());
        SignedMessage message = new SignedMessage("a", 1, new byte[0]);

        assertThat(half.verify(
                        message, Base64.getDecoder().decode(key.sign(message).substring(4))))
                .isTrue();
        assertThatThrownBy(() -> SigningKeys.parse("secret", key.receiverText()))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("public key, which only verifies");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "hunter2hunter2",
                "whsec_",
                "whsec_c2hvcnQ=",
                "whsec_not base64!",
                "whsk_AAAA",
                "whsk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
            })
    void a_bad_secret_is_refused_with_its_key_and_without_its_text(String text) {
        assertThatThrownBy(() -> SigningKeys.parse("routes.a.secret", text))
                .isInstanceOf(SettingException.class)
                .hasMessageStartingWith("routes.a.secret: must ")
                .satisfies(e -> {
                    if (text.length() > 6) {
                        assertThat(e.getMessage()).doesNotContain(text.substring(6));
                    }
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"v1", "v1a"})
    void no_text_of_an_object_shows_a_secret(String scheme) {
        SigningKey key = SigningKeys.generate(scheme, random);

        assertThat(key.toString()).isEqualTo(scheme.equals("v1") ? "whsec_(hidden)" : "whsk_(hidden)");
    }
}
