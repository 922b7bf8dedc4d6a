package io.redrive.operations;

import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetters;
import io.redrive.events.LetterFilter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The newest letters of a filter with their history, bounded in number and in bytes, for comparisons. */
final class LetterSample {

    /** The most letters of a sample. */
    static final int MAX_LETTERS = 1_000;

    /** Payloads beyond these bytes end the sample. */
    static final long MAX_BYTES = 16L * 1024 * 1024;

    /** The first page is small, because payloads may be large. */
    private static final int FIRST_PAGE = 20;

    private static final int LARGEST_PAGE = 250;

    private LetterSample() {}

    /** Returns the letters, the newest first. */
    static List<DeadLetter> newest(DeadLetters letters, LetterFilter filter) {
        List<DeadLetter> sample = new ArrayList<>();
        long before = Long.MAX_VALUE;
        long bytes = 0;
        int size = FIRST_PAGE;
        while (sample.size() < MAX_LETTERS && bytes < MAX_BYTES) {
            List<DeadLetter> page = letters.newest(filter, before, Math.min(size, MAX_LETTERS - sample.size()));
            if (page.isEmpty()) {
                break;
            }
            before = page.get(page.size() - 1).id();
            sample.addAll(withHistory(letters, filter, page));
            bytes += page.stream().mapToLong(LetterSample::bytes).sum();
            long average = Math.max(1, bytes / Math.max(1, sample.size()));
            size = (int) Math.max(1, Math.min(LARGEST_PAGE, (MAX_BYTES - bytes) / average));
        }
        return sample;
    }

    /** Reads the letters of a page again, with their history. A letter that has left meanwhile is left out. */
    private static List<DeadLetter> withHistory(DeadLetters letters, LetterFilter filter, List<DeadLetter> page) {
        long newest = page.get(0).id();
        long oldest = page.get(page.size() - 1).id();
        List<DeadLetter> found = new ArrayList<>(letters.listWithHistory(filter, oldest - 1, page.size()));
        found.removeIf(letter -> letter.id() > newest);
        Collections.reverse(found);
        return found;
    }

    private static long bytes(DeadLetter letter) {
        return letter.event().payloadSize()
                + letter.originalPayload().map(original -> original.length).orElse(0);
    }
}
