package io.redrive.operations;

import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/**
 * A JSON payload as maps, lists and values, with the digits of its numbers.
 *
 * <p>The engine copies documents through doubles: 12345678901234567890 comes back as 1.2345678901234567E19, and 0.1000 as 0.1. So
 * each number of the payload is remembered, by its place and by its value as the engine sees it, and {@link #digits} gives a
 * number of the result its digits back.
 */
final class PayloadDocument {

    /** The deepest nesting of a payload that can be repaired. */
    static final int MAX_DEPTH = 100;

    /** The digits that survive a copy by the engine. */
    private static final MathContext SURVIVING = new MathContext(15);

    private static final BigDecimal LARGEST_EXACT = BigDecimal.valueOf(1L << 53);

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build())
            .build();

    private final Map<String, ExactNumber> byPlace = new HashMap<>();
    private final Map<BigDecimal, Set<String>> byValue = new HashMap<>();
    private final @Nullable Object root;

    private PayloadDocument(String json) {
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), json)) {
            if (parser.nextToken() == null) {
                throw new RepairFailure("the payload is not JSON: it is empty");
            }
            root = value(parser, "");
            if (parser.nextToken() != null) {
                throw new RepairFailure("the payload is not JSON: there is more behind the first value");
            }
        } catch (JacksonException e) {
            // The parser's own message quotes the payload.
            String where = e.getLocation() == null
                    ? ""
                    : " at line " + e.getLocation().getLineNr() + ", column "
                            + e.getLocation().getColumnNr();
            throw new RepairFailure("the payload cannot be read as JSON" + where
                    + ": it is no JSON, has a field twice, or is nested deeper than " + MAX_DEPTH + " levels");
        }
    }

    /**
     * Reads a payload.
     *
     * @throws RepairFailure when the payload is not JSON
     */
    static PayloadDocument read(byte[] payload) {
        try {
            return new PayloadDocument(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(payload))
                    .toString());
        } catch (CharacterCodingException e) {
            throw new RepairFailure("the payload is not JSON: it is not UTF-8");
        }
    }

    /** Returns the payload as the engine takes it. */
    @Nullable
    Object root() {
        return root;
    }

    /** Recursion is limited by {@link #MAX_DEPTH}. */
    private @Nullable Object value(JsonParser parser, String place) {
        JsonToken token = parser.currentToken();
        return switch (token) {
            case START_OBJECT -> {
                Map<String, @Nullable Object> members = new LinkedHashMap<>();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String name = parser.currentName();
                    parser.nextToken();
                    members.put(name, value(parser, JsonResult.member(place, name)));
                }
                yield members;
            }
            case START_ARRAY -> {
                List<@Nullable Object> items = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    items.add(value(parser, JsonResult.item(place, items.size())));
                }
                yield items;
            }
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(parser.getString(), place);
            case VALUE_STRING -> parser.getString();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> null;
        };
    }

    private Number number(String digits, String place) {
        ExactNumber exact = new ExactNumber(digits);
        if (!Double.isFinite(exact.doubleValue()) || digits.length() > 400) {
            throw new RepairFailure(
                    "the number at " + JsonResult.shown(place) + " is beyond the numbers of an expression");
        }
        byPlace.put(place, exact);
        byValue.computeIfAbsent(seen(exact), value -> new TreeSet<>()).add(digits);
        return digits.matches("-?[1-9]\\d{0,8}|0") ? (Number) Integer.valueOf(digits) : exact;
    }

    /** Returns the value that remains of a number after copies by the engine. */
    private static BigDecimal seen(Number number) {
        BigDecimal rounded = new BigDecimal(number.doubleValue(), SURVIVING);
        return rounded.signum() == 0 ? BigDecimal.ZERO : rounded.stripTrailingZeros();
    }

    /**
     * Returns the digits of a number of the result.
     *
     * @throws RepairFailure when digits were lost
     */
    String digits(Number number, String place) {
        if (number instanceof ExactNumber) {
            return number.toString();
        }
        if (!Double.isFinite(number.doubleValue())) {
            throw new RepairFailure(
                    "the result is not JSON: the number at " + JsonResult.shown(place) + " is " + number);
        }
        ExactNumber here = byPlace.get(place);
        if (here != null && seen(here).equals(seen(number))) {
            return here.toString();
        }
        if (number instanceof Integer) {
            return number.toString();
        }
        Set<String> alike = byValue.getOrDefault(seen(number), Set.of());
        if (alike.size() == 1) {
            return alike.iterator().next();
        }
        BigDecimal plain = number instanceof Long
                ? BigDecimal.valueOf(number.longValue())
                : BigDecimal.valueOf(number.doubleValue());
        boolean ambiguous = alike.stream().map(BigDecimal::new).anyMatch(value -> value.compareTo(plain) != 0);
        if (ambiguous || plain.abs().compareTo(LARGEST_EXACT) > 0) {
            throw new RepairFailure("the number at " + JsonResult.shown(place)
                    + " may have lost digits: expressions compute with 15 digits; leave the number where it is, or make"
                    + " it a text");
        }
        BigDecimal stripped = plain.signum() == 0 ? BigDecimal.ZERO : plain.stripTrailingZeros();
        return Math.abs(stripped.scale()) > 30 ? stripped.toString() : stripped.toPlainString();
    }
}
