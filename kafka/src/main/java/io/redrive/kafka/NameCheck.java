package io.redrive.kafka;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A rule for names that remembers its last answer: records of a topic have the same name, as the same object, one after another. */
final class NameCheck {

    private final Predicate<String> rule;
    private @Nullable String last;
    private boolean answer;

    NameCheck(Predicate<String> rule) {
        this.rule = rule;
    }

    @SuppressWarnings("StringEquality") // Equal names that are two objects are only asked twice.
    boolean test(String name) {
        if (name != last) {
            answer = rule.test(name);
            last = name;
        }
        return answer;
    }
}
