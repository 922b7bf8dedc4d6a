package io.redrive.jdbc;

import io.redrive.events.journal.EventQuery;
import io.redrive.events.journal.EventQuery.By;
import io.redrive.events.journal.FinishedEvent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The index of one segment: sorted entries, each a hash of four bytes and the number of a page, cut into rows. Entries of
 * one hash are never cut apart, so that the row with the highest place up to the hash has all of them. A hash only says
 * where to look: readers compare the texts of the events.
 */
final class JournalIndex {

    /** Entries of a row; a row is smaller than the size from which PostgreSQL stores values elsewhere. */
    private static final int ENTRIES = 256;

    static final int ENTRY_BYTES = 5;
    private static final int PAGE_BITS = 8;
    private static final int HASH_BITS = 32;

    private JournalIndex() {}

    /** A row of the index. */
    record Row(long lowest, byte[] hashes) {}

    /** Returns the hash of a text, between 0 and 2^32 - 1. */
    static long hash(By by, String text) {
        long hash = 0xcbf29ce484222325L ^ by.ordinal();
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
        }
        return (hash ^ hash >>> HASH_BITS) & 0xFFFFFFFFL;
    }

    static long hash(EventQuery query) {
        return hash(query.by(), query.text());
    }

    /** Returns the bytes by which entries of a hash begin. */
    static byte[] bytes(long hash) {
        return ByteBuffer.allocate(Integer.BYTES).putInt((int) hash).array();
    }

    /** Returns the key of a page. */
    static long page(long segment, int number) {
        return (segment << PAGE_BITS) + number;
    }

    /** Returns the key of a row. */
    static long place(long segment, long hash) {
        return (segment << HASH_BITS) + hash;
    }

    /** Returns the rows for pages of events, by their lowest hash. */
    static List<Row> rows(List<List<FinishedEvent>> pages) {
        long[] entries = new long[pages.stream().mapToInt(List::size).sum() * By.values().length];
        int count = sort(entries, pages);
        List<Row> rows = new ArrayList<>(count / ENTRIES + 1);
        int first = 0;
        for (int i = 1; i <= count; i++) {
            boolean isCut =
                    i == count || i - first >= ENTRIES && entries[i] >>> PAGE_BITS != entries[i - 1] >>> PAGE_BITS;
            if (isCut) {
                rows.add(row(entries, first, i));
                first = i;
            }
        }
        return rows;
    }

    private static Row row(long[] entries, int from, int to) {
        ByteBuffer hashes = ByteBuffer.allocate((to - from) * ENTRY_BYTES);
        for (int i = from; i < to; i++) {
            hashes.putInt((int) (entries[i] >>> PAGE_BITS)).put((byte) entries[i]);
        }
        return new Row(entries[from] >>> PAGE_BITS, hashes.array());
    }

    /** Fills {@code entries} with hashes and the numbers of their pages, sorted, without repetitions; returns their number. */
    private static int sort(long[] entries, List<List<FinishedEvent>> pages) {
        int count = 0;
        for (int page = 0; page < pages.size(); page++) {
            Set<String> names = new HashSet<>();
            for (FinishedEvent event : pages.get(page)) {
                entries[count++] = hash(By.ID, event.id()) << PAGE_BITS | page;
                if (event.correlationId().isPresent()) {
                    entries[count++] =
                            hash(By.CORRELATION, event.correlationId().get()) << PAGE_BITS | page;
                }
                if (event.orderingKey().isPresent()) {
                    entries[count++] = hash(By.KEY, event.orderingKey().get()) << PAGE_BITS | page;
                }
                if (names.add(event.name())) {
                    entries[count++] = hash(By.NAME, event.name()) << PAGE_BITS | page;
                }
            }
        }
        Arrays.sort(entries, 0, count);
        int distinct = 0;
        for (int i = 0; i < count; i++) {
            if (distinct == 0 || entries[i] != entries[distinct - 1]) {
                entries[distinct++] = entries[i];
            }
        }
        return distinct;
    }

    /** Returns the numbers of the pages that a row gives for a hash, the last page first. */
    static List<Integer> pages(byte[] hashes, long hash) {
        List<Integer> pages = new ArrayList<>();
        ByteBuffer row = ByteBuffer.wrap(hashes);
        while (row.remaining() >= ENTRY_BYTES) {
            long next = row.getInt() & 0xFFFFFFFFL;
            int page = row.get() & 0xFF;
            if (next == hash) {
                pages.add(0, page);
            }
        }
        return pages;
    }
}
