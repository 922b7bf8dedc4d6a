package io.redrive.bench;

import java.io.StringWriter;
import java.math.BigDecimal;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** Writes the fields of a result as JSON: objects, strings, numbers, booleans, null. */
final class Json {

    private static final JsonFactory JSON = new JsonFactory();

    private Json() {}

    static String write(Object value) {
        StringWriter text = new StringWriter();
        try (JsonGenerator generator = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
            write(value, generator);
        }
        return text.toString();
    }

    private static void write(Object value, JsonGenerator generator) {
        if (value == null) {
            generator.writeNull();
        } else if (value instanceof Boolean truth) {
            generator.writeBoolean(truth);
        } else if (value instanceof Number number) {
            generator.writeNumber(number(number.doubleValue()));
        } else if (value instanceof Map<?, ?> object) {
            generator.writeStartObject();
            object.forEach((name, field) -> {
                generator.writeName(name.toString());
                write(field, generator);
            });
            generator.writeEndObject();
        } else {
            generator.writeString(value.toString());
        }
    }

    /** Returns the number without an exponent and without a fraction of zero: 100000, 0.5. */
    static String number(double value) {
        BigDecimal exact = BigDecimal.valueOf(value).stripTrailingZeros();
        return exact.signum() == 0 ? "0" : exact.toPlainString();
    }
}
