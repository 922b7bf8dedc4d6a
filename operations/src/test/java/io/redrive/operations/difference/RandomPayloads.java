package io.redrive.operations.difference;

import java.util.Random;

/** JSON payloads whose fields are drawn from random distributions, the same for all payloads of one object. */
final class RandomPayloads {

    private final Random random;
    private final int fields;
    private final int[] kinds;
    private final double[] presence;
    private int made;

    RandomPayloads(Random random) {
        this.random = random;
        fields = 1 + random.nextInt(12);
        kinds = random.ints(fields, 0, 8).toArray();
        presence = random.doubles(fields, 0.2, 1.5).toArray();
    }

    String next() {
        return "{" + members() + "}";
    }

    String with(String name, String value) {
        String members = members();
        return "{" + members + (members.isEmpty() ? "" : ",") + "\"" + name + "\": " + value + "}";
    }

    private String members() {
        made++;
        StringBuilder members = new StringBuilder();
        for (int i = 0; i < fields; i++) {
            if (random.nextDouble() < presence[i]) {
                members.append(members.length() == 0 ? "" : ",")
                        .append("\"f")
                        .append(i)
                        .append("\": ")
                        .append(value(kinds[i]));
            }
        }
        return members.toString();
    }

    private String value(int kind) {
        return switch (kind) {
            case 0 -> "\"" + "abc".charAt(random.nextInt(3)) + "\"";
            case 1 -> String.valueOf(random.nextGaussian() * 100);
            case 2 -> String.valueOf(random.nextInt(5));
            case 3 -> String.valueOf(random.nextBoolean());
            case 4 -> "\"" + "x".repeat(random.nextInt(150)) + "\"";
            case 5 -> "[" + "1,".repeat(random.nextInt(5)) + random.nextInt(3) + "]";
            case 6 -> random.nextInt(4) == 0 ? "null" : "{\"inner\": " + random.nextInt(3) + "}";
            default -> "\"id-" + made + "\"";
        };
    }
}
