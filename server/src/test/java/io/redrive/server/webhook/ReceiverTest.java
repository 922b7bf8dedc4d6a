package io.redrive.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.standardwebhooks.Webhook;
import io.redrive.core.SettingException;
import io.redrive.server.webhook.Receiver.Judgement;
import io.redrive.server.webhook.signature.SignedMessage;
import io.redrive.server.webhook.signature.SigningKey;
import io.redrive.server.webhook.signature.SigningKeys;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ReceiverTest {

    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final String BODY = "{\"order\": 17}";

    private static Receiver receiver(Object... settings) {
        Map<String, Object> values = new HashMap<>(Map.of("event", "shop.order", "secret", SECRET));
        for (int i = 0; i < settings.length; i += 2) {
            values.put((String) settings[i], settings[i + 1]);
        }
        return ReceiverReader.read(Map.of("shop", values)).get("shop");
    }

    private static Judgement judge(Receiver receiver, Map<String, String> headers, String body) {
        Map<String, String> found = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        found.putAll(headers);
        return receiver.check()
                .judge(name -> Optional.ofNullable(found.get(name)), body.getBytes(StandardCharsets.UTF_8), NOW);
    }

    private static Map<String, String> signed(long timestamp) throws Exception {
        return new HashMap<>(Map.of(
                "webhook-id", "msg_1",
                "webhook-timestamp", Long.toString(timestamp),
                "webhook-signature", new Webhook(SECRET).sign("msg_1", timestamp, BODY)));
    }

    @Test
    void a_message_of_the_library_of_standard_webhooks_is_genuine() throws Exception {
        assertThat(judge(receiver(), signed(NOW.getEpochSecond()), BODY)).isEqualTo(new Judgement.Genuine("msg_1"));
    }

    @Test
    void one_of_several_signatures_and_secrets_must_fit() throws Exception {
        SigningKey other = SigningKeys.generate("v1", new SecureRandom());
        SigningKey asymmetric = SigningKeys.generate("v1a", new SecureRandom());
        Receiver rotating = receiver("secret", List.of(other.text(), asymmetric.receiverText(), SECRET));
        Map<String, String> headers = signed(NOW.getEpochSecond());
        SignedMessage message = new SignedMessage("msg_1", NOW.getEpochSecond(), BODY.getBytes(StandardCharsets.UTF_8));

        assertThat(judge(rotating, headers, BODY)).isInstanceOf(Judgement.Genuine.class);
        headers.put("webhook-signature", "v2,xyz garbage v1,AAAA " + asymmetric.sign(message));
        assertThat(judge(rotating, headers, BODY)).isInstanceOf(Judgement.Genuine.class);
        assertThat(judge(receiver(), headers, BODY)).isInstanceOf(Judgement.Refused.class);
    }

    @Test
    void old_future_and_changed_messages_are_refused() throws Exception {
        long now = NOW.getEpochSecond();
        assertThat(judge(receiver(), signed(now - 301), BODY)).isInstanceOf(Judgement.Refused.class);
        assertThat(judge(receiver(), signed(now + 301), BODY)).isInstanceOf(Judgement.Refused.class);
        assertThat(judge(receiver(), signed(now - 299), BODY)).isInstanceOf(Judgement.Genuine.class);
        assertThat(judge(receiver(), signed(now), BODY + " ")).isInstanceOf(Judgement.Refused.class);
        for (String header : List.of("webhook-id", "webhook-timestamp", "webhook-signature")) {
            Map<String, String> without = signed(now);
            without.remove(header);
            assertThat(judge(receiver(), without, BODY)).isInstanceOf(Judgement.Refused.class);
            for (String hostile : List.of("", " ", ",", "v1,", "v1", "-1", "9".repeat(30), "NaN", "v1,é", "\u0000")) {
                without.put(header, hostile);
                assertThat(judge(receiver(), without, BODY))
                        .as(header + hostile)
                        .isInstanceOf(Judgement.Refused.class);
            }
        }
    }

    @Test
    void a_truncated_signature_is_refused_at_every_length() throws Exception {
        Map<String, String> headers = signed(NOW.getEpochSecond());
        String whole = headers.get("webhook-signature");
        for (int length = 0; length < whole.length() - 1; length++) {
            headers.put("webhook-signature", whole.substring(0, length));
            assertThat(judge(receiver(), headers, BODY)).isInstanceOf(Judgement.Refused.class);
        }
    }

    @Test
    void a_plain_hmac_is_verified_and_equal_bodies_are_one_message_unless_an_id_tells_them_apart() throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec("a-secret-of-github".getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        String hex = java.util.HexFormat.of().formatHex(mac.doFinal(BODY.getBytes(StandardCharsets.UTF_8)));
        Map<String, String> headers = Map.of("X-Hub-Signature-256", "sha256=" + hex, "X-GitHub-Delivery", "d-1");
        Object[] settings = {
            "signature", "hmac", "secret", "a-secret-of-github", "header", "X-Hub-Signature-256", "prefix", "sha256="
        };

        assertThat(judge(receiver(settings), headers, BODY)).isEqualTo(new Judgement.Genuine(hex));
        assertThat(judge(receiver(settings), headers, BODY + " ")).isInstanceOf(Judgement.Refused.class);
        assertThat(judge(receiver(settings), Map.of("X-Hub-Signature-256", hex), BODY))
                .isInstanceOf(Judgement.Refused.class);
        assertThat(judge(receiver(settings), Map.of(), BODY)).isInstanceOf(Judgement.Refused.class);

        Object[] withId = java.util.Arrays.copyOf(settings, settings.length + 2);
        withId[settings.length] = "id-header";
        withId[settings.length + 1] = "X-GitHub-Delivery";
        assertThat(judge(receiver(withId), headers, BODY)).isEqualTo(new Judgement.Genuine("d-1:" + hex));
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                Arguments.of("secret", "hunter2", "must begin with whsec_"),
                Arguments.of("secret", List.of(), "must be the secret of the sender"),
                Arguments.of("event", "order.*", "must be one event name"),
                Arguments.of("event", "webhook.billing", "not one of webhook.*"),
                Arguments.of("event", "two words", "must be an event name"),
                Arguments.of("signature", "sha1", "must be one of standard, hmac"),
                Arguments.of("header", "X-A", "belongs to signature: hmac"),
                Arguments.of("tolerance", "2d", "must be a duration"),
                Arguments.of("event-header", "a b", "must be a header name"),
                Arguments.of("events", "order.paid", "event"));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("mistakes")
    void a_mistake_is_refused_with_key_and_rule_and_without_the_secret(String key, Object value, String rule) {
        assertThatThrownBy(() -> receiver(key, value))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("receive.shop.")
                .hasMessageContaining(rule)
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void no_text_of_a_receiver_shows_a_secret() {
        Receiver plain = receiver("signature", "hmac", "secret", "a-secret-of-github", "header", "X-A");

        assertThat(plain.toString()).doesNotContain("a-secret-of-github");
        assertThat(receiver().toString()).doesNotContain(SECRET);
    }
}
