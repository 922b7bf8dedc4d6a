package io.redrive.events;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/** Tells whether a payload is what its content type promises, where that is JSON. */
public final class JsonPayload {

    /** A payload has a limit of its own; the parser needs no memory for depth. */
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private JsonPayload() {}

    /** True for {@code application/json} and types that end in {@code +json}, with any parameters. */
    public static boolean isJson(String contentType) {
        String type = contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        return type.equals("application/json") || type.endsWith("+json");
    }

    /** Why the payload is not JSON, with the line and column of the mistake; empty when it is JSON. */
    public static Optional<String> complaint(byte[] payload) {
        try {
            return complaint(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(payload))
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.of("it is not UTF-8");
        }
    }

    /** Why the text is not JSON, with the line and column of the mistake; empty when it is JSON. */
    public static Optional<String> complaint(String text) {
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
            if (parser.nextToken() == null) {
                return Optional.of("it is empty");
            }
            parser.skipChildren();
            return parser.nextToken() == null
                    ? Optional.empty()
                    : Optional.of("line " + parser.currentTokenLocation().getLineNr() + ", column "
                            + parser.currentTokenLocation().getColumnNr() + ": there is more behind the first value");
        } catch (JacksonException e) {
            // Payloads do not belong into messages: what the parser quotes of it is left out.
            String what = e.getOriginalMessage().replaceFirst("^Unrecognized token '.*'", "Unrecognized token");
            return Optional.of("line " + e.getLocation().getLineNr() + ", column "
                    + e.getLocation().getColumnNr() + ": " + what);
        }
    }
}
