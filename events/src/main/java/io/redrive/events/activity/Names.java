package io.redrive.events.activity;

/** Rules for the names of events and nodes in reports. */
final class Names {

    private static final int MAX_LENGTH = 200;

    private Names() {}

    static String require(String field, String name) {
        if (name.isBlank() || name.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    field + " must be 1 to " + MAX_LENGTH + " characters, not blank; got '" + cut(name) + "'");
        }
        return name;
    }

    /** Returns at most the longest name that is allowed. */
    static String cut(String name) {
        return name.length() <= MAX_LENGTH ? name : name.substring(0, MAX_LENGTH);
    }
}
