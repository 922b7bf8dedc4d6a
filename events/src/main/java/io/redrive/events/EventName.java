package io.redrive.events;

/**
 * The rule for event names: dotted words of letters, digits, {@code _} and {@code -}, for example {@code
 * ml.run.started}.
 */
final class EventName {

    static final int MAX_LENGTH = 200;

    private EventName() {}

    static String require(String name) {
        if (name == null || !isValid(name)) {
            throw new IllegalArgumentException("name must be dotted words of letters, digits, '_' or '-', at most "
                    + MAX_LENGTH + " characters, such as ml.run.started; got " + Texts.shown(name));
        }
        return name;
    }

    static boolean isValid(String name) {
        return name.length() <= MAX_LENGTH && isDottedWords(name);
    }

    /** Letter by letter: every publish asks this, and a regular expression is several times as slow. */
    private static boolean isDottedWords(String name) {
        boolean afterWord = false;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c == '.' ? !afterWord : !isWordCharacter(c)) {
                return false;
            }
            afterWord = c != '.';
        }
        return afterWord;
    }

    private static boolean isWordCharacter(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-';
    }
}
