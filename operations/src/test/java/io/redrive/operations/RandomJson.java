package io.redrive.operations;

import java.util.List;
import java.util.Random;
import java.util.StringJoiner;

/** Random JSON with unusual numbers, texts and white space. */
final class RandomJson {

    private static final List<String> LEAVES = List.of(
            "0",
            "-0",
            "1",
            "-17",
            "1.0",
            "0.1000",
            "12345678901234567890",
            "9007199254740993",
            "1e3",
            "1E-7",
            "3.14",
            "0.12345678901234567890",
            "true",
            "false",
            "null",
            "\"\"",
            "\"a \\\"b\\\" \\u00e9\\n\"",
            "\"\u20ac \ud83d\ude00\"",
            "\"12345678901234567890\"",
            "[]",
            "{}");

    private RandomJson() {}

    /** Returns an object with the member {@code currency} and random members. */
    static String object(Random random, int depth) {
        StringJoiner members = new StringJoiner(random.nextBoolean() ? "," : " ,\n ", "{", "}");
        members.add("\"currency\": \"" + (random.nextBoolean() ? "XBT" : "EUR") + "\"");
        for (int i = random.nextInt(5); i > 0; i--) {
            members.add("\"f" + i + (random.nextInt(5) == 0 ? "/~\\u0020" : "") + "\":" + value(random, depth - 1));
        }
        return members.toString();
    }

    private static String value(Random random, int depth) {
        int kind = random.nextInt(depth < 1 ? 4 : 6);
        if (kind < 4) {
            return LEAVES.get(random.nextInt(LEAVES.size()));
        }
        if (kind == 4) {
            return object(random, depth);
        }
        StringJoiner items = new StringJoiner(", ", "[", "]");
        for (int i = random.nextInt(4); i > 0; i--) {
            items.add(value(random, depth - 1));
        }
        return items.toString();
    }
}
