package io.redrive.cli.dlq;

import io.redrive.events.DeadLetter;
import io.redrive.events.LetterFilter;
import io.redrive.operations.LetterOperations;
import java.util.List;
import java.util.function.Consumer;

/** Reads letters page by page: a million letters need the memory of a single page. */
record LetterPages(LetterOperations letters, LetterFilter filter, long limit) {

    /** A payload may have a megabyte, so a page has at most 100 MB. */
    private static final int PAGE = 100;

    /** Reads one page of letters, starting behind a letter id. */
    interface Page {
        List<DeadLetter> from(LetterFilter filter, long id, int limit);
    }

    /**
     * Passes the letters to {@code action} in the order of {@code page}.
     *
     * @param from the letter id behind which the first page starts
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
