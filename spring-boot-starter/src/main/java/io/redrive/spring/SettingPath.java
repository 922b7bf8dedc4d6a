package io.redrive.spring;

/** Keys of settings under a name that the user chose, such as {@code redrive.policies[order.*]}. */
final class SettingPath {

    private SettingPath() {}

    /**
     * Returns the key for {@code name}, chosen by the user, below {@code prefix}; a name with dots or stars stands in
     * brackets.
     */
    static String below(String prefix, String name) {
        return isPlain(name) ? prefix + "." + name : prefix + "[" + name + "]";
    }

    static boolean isPlain(String name) {
        return name.chars().allMatch(c -> Character.isLetterOrDigit(c) || c == '-' || c == '_') && !name.isEmpty();
    }
}
