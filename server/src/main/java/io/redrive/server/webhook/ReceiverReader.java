package io.redrive.server.webhook;

import io.redrive.core.SettingException;
import io.redrive.events.NamePattern;
import io.redrive.server.webhook.signature.Ed25519PublicKey;
import io.redrive.server.webhook.signature.MessageVerifier;
import io.redrive.server.webhook.signature.SigningKeys;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads the section {@code receive} of the configuration. */
final class ReceiverReader {

    static final String SECTION = "receive";
    private static final Set<String> KEYS = Set.of(
            "event",
            "event-header",
            "source",
            "signature",
            "secret",
            "tolerance",
            "header",
            "prefix",
            "encoding",
            "id-header");
    private static final Duration TOLERANCE = Duration.ofMinutes(5);
    private static final int LEAST_SECRET = 16;

    private ReceiverReader() {}

    /**
     * Returns the receivers by name.
     *
     * @param receivers the value of the section; null for no receivers
     * @throws SettingException for an unknown key or a bad value, with key, rule and value
     */
    static Map<String, Receiver> read(@Nullable Object receivers) {
        Map<String, Receiver> byName = new TreeMap<>();
        SettingSection.mapping(SECTION, receivers).forEach((name, value) -> byName.put(name, receiver(name, value)));
        return byName;
    }

    private static Receiver receiver(String name, Object value) {
        String path = SECTION + "." + RouteReader.requireName(SECTION, name);
        SettingSection section = SettingSection.of(path, value, KEYS);
        boolean standard = section.oneOf("signature", List.of("standard", "hmac"))
                .orElse("standard")
                .equals("standard");
        for (String key : standard ? List.of("header", "prefix", "encoding", "id-header") : List.of("tolerance")) {
            if (section.raw(key) != null) {
                throw SettingException.of(
                        section.key(key), "belongs to signature: " + (standard ? "hmac" : "standard"), "");
            }
        }
        return new Receiver(
                name,
                event(section),
                section.text("event-header")
                        .map(header -> HeaderRules.requireName(section.key("event-header"), header)),
                section.text("source").orElse(name),
                standard ? standard(section) : hmac(section));
    }

    private static String event(SettingSection section) {
        String name = section.required("event", "must be the name of the events, such as github.push");
        try {
            if (new NamePattern(name).isExact() && !(name + ".").startsWith(Route.PREFIX)) {
                return name;
            }
        } catch (IllegalArgumentException e) {
            throw SettingException.of(section.key("event"), "must be an event name such as github.push", name);
        }
        throw SettingException.of(section.key("event"), "must be one event name, and not one of webhook.*", name);
    }

    private static Receiver.Check standard(SettingSection section) {
        List<MessageVerifier> keys = secrets(section).stream()
                .<MessageVerifier>map(text -> text.startsWith("whpk_")
                        ? Ed25519PublicKey.parse(section.key("secret"), text)
                        : SigningKeys.parse(section.key("secret"), text))
                .toList();
        return new Receiver.StandardCheck(
                keys, section.duration("tolerance", TOLERANCE, Duration.ofSeconds(10), Duration.ofHours(12)));
    }

    private static Receiver.Check hmac(SettingSection section) {
        List<HiddenText> secrets = secrets(section).stream()
                .map(text -> {
                    if (text.length() < LEAST_SECRET) {
                        throw SettingException.of(
                                section.key("secret"),
                                "must have at least " + LEAST_SECRET + " characters",
                                "(hidden)");
                    }
                    return new HiddenText(text);
                })
                .toList();
        String header =
                section.required("header", "must name the header with the signature, such as X-Hub-Signature-256");
        if (!header.matches("[A-Za-z0-9-]{1,100}")) {
            throw SettingException.of(section.key("header"), "must be a header name", header);
        }
        Optional<String> idHeader = section.text("id-header");
        return new Receiver.HmacCheck(
                secrets,
                header,
                section.text("prefix").orElse(""),
                section.oneOf("encoding", List.of("hex", "base64"))
                        .orElse("hex")
                        .equals("hex"),
                idHeader);
    }

    /** Several secrets are accepted while the sender rotates. */
    private static List<String> secrets(SettingSection section) {
        List<String> secrets = section.list("secret");
        if (secrets.isEmpty() || secrets.stream().anyMatch(String::isBlank)) {
            throw SettingException.of(
                    section.key("secret"), "must be the secret of the sender, or a list of secrets", "");
        }
        return secrets;
    }
}
