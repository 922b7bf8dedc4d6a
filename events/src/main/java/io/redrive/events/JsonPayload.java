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

/** Checks that a payload with a JSON content type is JSON. */
public final class JsonPayload {

    /** The limit of payloads bounds the length, and depth costs the parser no memory. */
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private JsonPayload() {}

    /** Returns true for {@code application/json} and types that end in {@code +json}, with any parameters. */
    public static boolean isJson(String contentType) {
        String type = contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        return type.equals("application/json") || type.endsWith("+json");
    }

    /** Returns why the payload is not JSON, with line and column; empty for JSON. */
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

    /** Returns why the text is not JSON, with line and column; empty for JSON. */
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
            // Payloads must not appear in messages: the part that the parser quotes is left out.
            String what = e.getOriginalMessage().replaceFirst("^Unrecognized token '.*'", "Unrecognized token");
            return Optional.of("line " + e.getLocation().getLineNr() + ", column "
                    + e.getLocation().getColumnNr() + ": " + what);
        }
    }
}
