package io.redrive.cli;

import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetters;
import io.redrive.events.LetterFilter;
import java.util.List;
import java.util.function.Consumer;

/** Goes through letters page by page, so that a million of them need no memory. */
record LetterPages(DeadLetters letters, LetterFilter filter, long afterId, long limit) {

    private static final int PAGE = 500;

    /** @return the id of the last letter, or where it began when there was none */
    long each(Consumer<DeadLetter> action) {
        long last = afterId;
        long left = limit;
        while (left > 0) {
            List<DeadLetter> page = letters.list(filter, last, (int) Math.min(PAGE, left));
            for (DeadLetter letter : page) {
                action.accept(letter);
                last = letter.id();
            }
            left -= page.size();
            if (page.size() < PAGE) {
                break;
            }
        }
        return last;
    }
}
