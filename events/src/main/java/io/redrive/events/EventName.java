package io.redrive.events;

import java.util.regex.Pattern;

/** The rule for event names: dotted words of letters, digits, {@code _} and {@code -}, such as {@code ml.run.started}. */
final class EventName {

    static final int MAX_LENGTH = 200;

    private static final Pattern RULE = Pattern.compile("[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*");

    private EventName() {}

    static String require(String name) {
        if (name == null || name.length() > MAX_LENGTH || !RULE.matcher(name).matches()) {
            throw new IllegalArgumentException("name must be dotted words of letters, digits, '_' or '-', at most "
                    + MAX_LENGTH + " characters, such as ml.run.started; got " + Texts.shown(name));
        }
        return name;
    }
}
