package io.redrive.server.webhook;

import io.redrive.server.webhook.signature.HmacKey;
import io.redrive.server.webhook.signature.MessageVerifier;
import io.redrive.server.webhook.signature.SignedMessage;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/**
 * An address {@code /in/<name>} that takes webhooks of another system. Immutable; {@code toString} shows no secret.
 *
 * @param name the name of the receiver, part of its address
 * @param event the name of the events
 * @param eventHeader the request header whose value is added to the name of the event; empty for none
 * @param source the source of the events
 * @param check how a request proves that the sender knows the secret
 */
record Receiver(String name, String event, Optional<String> eventHeader, String source, Check check) {

    /** The judgement about a request. */
    sealed interface Judgement {

        /** The signature is right. A request with the same {@code id} is a duplicate. */
        record Genuine(String id) implements Judgement {}

        /** The request is refused, for a reason that may be told to anybody. */
        record Refused(String why) implements Judgement {}
    }

    /** How a request proves that the sender knows the secret. */
    sealed interface Check {

        /** Judges a request. */
        Judgement judge(Function<String, Optional<String>> header, byte[] body, Instant now);
    }

    private static final int MOST_SIGNATURES = 20;

    /**
     * The signature of Standard Webhooks.
     *
     * @param keys the keys of the sender, of which one must fit
     * @param tolerance how far the timestamp may lie in the past or future
     */
    record StandardCheck(List<MessageVerifier> keys, Duration tolerance) implements Check {

        @Override
        public Judgement judge(Function<String, Optional<String>> header, byte[] body, Instant now) {
            Optional<String> id = header.apply("webhook-id").filter(text -> !text.isBlank() && text.length() <= 500);
            Optional<String> timestamp = header.apply("webhook-timestamp").filter(text -> text.matches("\\d{1,12}"));
            Optional<String> signatures = header.apply("webhook-signature");
            if (id.isEmpty() || timestamp.isEmpty() || signatures.isEmpty()) {
                return new Judgement.Refused("webhook-id, webhook-timestamp and webhook-signature are needed");
            }
            long seconds = Long.parseLong(timestamp.get());
            if (Math.abs(seconds - now.getEpochSecond()) > tolerance.toSeconds()) {
                return new Judgement.Refused("webhook-timestamp is too far from the time of this server");
            }
            SignedMessage message = new SignedMessage(id.get(), seconds, body);
            return isSigned(message, signatures.get())
                    ? new Judgement.Genuine(id.get())
                    : new Judgement.Refused("no signature in webhook-signature fits");
        }

        /** Compares every signature with every key, so that the time tells nothing. */
        private boolean isSigned(SignedMessage message, String signatures) {
            boolean fits = false;
            String[] each = signatures.split(" ", MOST_SIGNATURES + 1);
            for (int i = 0; i < Math.min(each.length, MOST_SIGNATURES); i++) {
                int comma = each[i].indexOf(',');
                Optional<byte[]> bytes = comma < 0 ? Optional.empty() : base64(each[i].substring(comma + 1));
                for (MessageVerifier key : keys) {
                    boolean sameScheme = comma >= 0 && key.scheme().equals(each[i].substring(0, comma));
                    fits |= sameScheme && bytes.isPresent() && key.verify(message, bytes.get());
                }
            }
            return fits;
        }
    }

    /**
     * A plain HMAC-SHA256 of the body in one header, as many systems send it. Such a signature holds no time: a request that is
     * repeated within the retention of keys is a duplicate, and later a new event.
     *
     * @param secrets the secrets of the sender, of which one must fit
     * @param header the header with the signature
     * @param prefix what stands before the signature, such as {@code sha256=}
     * @param hex true for hexadecimal digits, false for base64
     * @param idHeader the header with the id of the message; empty when equal bodies are duplicates
     */
    record HmacCheck(List<HiddenText> secrets, String header, String prefix, boolean hex, Optional<String> idHeader)
            implements Check {

        @Override
        public Judgement judge(Function<String, Optional<String>> headers, byte[] body, Instant now) {
            Optional<byte[]> given = headers.apply(header)
                    .filter(text -> text.startsWith(prefix))
                    .map(text -> text.substring(prefix.length()))
                    .flatMap(text -> hex ? hexadecimal(text) : base64(text));
            if (given.isEmpty()) {
                return new Judgement.Refused("a signature in the header " + header + " is needed");
            }
            boolean fits = false;
            for (HiddenText secret : secrets) {
                byte[] key = secret.text().getBytes(StandardCharsets.UTF_8);
                fits |= MessageDigest.isEqual(HmacKey.hmac(key, body), given.get());
            }
            if (!fits) {
                return new Judgement.Refused("the signature in the header " + header + " does not fit");
            }
            // The signature covers the body alone. With an id header, equal bodies under different ids are different
            // events.
            String signed = HexFormat.of().formatHex(given.get());
            return new Judgement.Genuine(idHeader.flatMap(headers)
                    .filter(id -> !id.isBlank())
                    .map(id -> id + ":" + signed)
                    .orElse(signed));
        }
    }

    private static Optional<byte[]> base64(String text) {
        try {
            return Optional.of(Base64.getDecoder().decode(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Optional<byte[]> hexadecimal(String text) {
        try {
            return Optional.of(HexFormat.of().parseHex(text.toLowerCase(Locale.ROOT)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
