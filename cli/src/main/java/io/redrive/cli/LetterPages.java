package io.redrive.cli;

import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetters;
import io.redrive.events.LetterFilter;
import java.util.List;
import java.util.function.Consumer;

/** Goes through letters page by page, so that a million of them need no memory. */
record LetterPages(DeadLetters letters, LetterFilter filter, long limit) {

    /** A payload may have a megabyte: a page stays far below the memory of a small machine. */
    private static final int PAGE = 100;

    /** One page of letters from an id on. */
    interface Page {
        List<DeadLetter> from(LetterFilter filter, long id, int limit);
    }

    /** The oldest first, without history. */
    void each(Consumer<DeadLetter> action) {
        each(letters::list, 0, action);
    }

    /**
     * In the order in which {@code page} gives letters.
     *
     * @param from the id from which the first page starts
     * @return the id of the last letter, or {@code from} when there was none
     */
    long each(Page page, long from, Consumer<DeadLetter> action) {
        long last = from;
        long left = limit;
        while (left > 0) {
            int wanted = (int) Math.min(PAGE, left);
            List<DeadLetter> found = page.from(filter, last, wanted);
            for (DeadLetter letter : found) {
                action.accept(letter);
                last = letter.id();
            }
            left -= found.size();
            if (found.size() < wanted) {
                break;
            }
        }
        return last;
    }
}
