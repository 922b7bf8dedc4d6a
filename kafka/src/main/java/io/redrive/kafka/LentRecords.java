package io.redrive.kafka;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The lent records by the tokens of their claims. Tokens fall one by one, from -1 on, and nearly all records come back in the order in which
 * they were lent. Therefore the token tells the place in an array, without a table of hashes and its objects for each record. A
 * record that stays away keeps its place, and later tokens pass over the place. Guarded by the lock of {@link OwnedPartitions}.
 */
final class LentRecords {

    /** The length of the array is a power of two. */
    private static final int LEAST = 1_024;

    private @Nullable Lent[] places = new Lent[LEAST];
    private int size;
    private long lastToken;

    /** A claimed record, the token of its claim, and the owner of its partition. */
    record Lent(long token, OwnedPartition owner, BookedRecord record) {}

    /** Lends a record and returns the token. */
    long lend(OwnedPartition owner, BookedRecord record) {
        if (size >= places.length / 2) {
            grow();
        }
        do {
            lastToken--;
        } while (places[placeOf(lastToken)] != null);
        places[placeOf(lastToken)] = new Lent(lastToken, owner, record);
        size++;
        return lastToken;
    }

    /** Returns the lent record; null when no record is lent under this token. */
    @Nullable
    Lent get(long token) {
        @Nullable Lent found = places[placeOf(token)];
        return found == null || found.token() != token ? null : found;
    }

    /** Takes a lent record back; null when no record is lent under this token. */
    @Nullable
    Lent remove(long token) {
        @Nullable Lent found = get(token);
        if (found != null) {
            places[placeOf(token)] = null;
            size--;
        }
        return found;
    }

    /** Takes the records of a partition back. */
    List<Lent> removeAll(OwnedPartition owner) {
        List<Lent> removed = new ArrayList<>();
        for (Lent each : places) {
            if (each != null && each.owner() == owner) {
                remove(each.token());
                removed.add(each);
            }
        }
        return removed;
    }

    boolean anyOwner(Predicate<OwnedPartition> test) {
        for (Lent each : places) {
            if (each != null && test.test(each.owner())) {
                return true;
            }
        }
        return false;
    }

    boolean isEmpty() {
        return size == 0;
    }

    private int placeOf(long token) {
        return (int) (token & places.length - 1);
    }

    /** Tokens with different places have different places in a longer array too. */
    private void grow() {
        @Nullable Lent[] before = places;
        places = new Lent[2 * before.length];
        for (Lent each : before) {
            if (each != null) {
                places[placeOf(each.token())] = each;
            }
        }
    }
}
