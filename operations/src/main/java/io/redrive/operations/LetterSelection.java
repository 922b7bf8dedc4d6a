package io.redrive.operations;

import io.redrive.events.LetterFilter;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/**
 * The dead letters that a command is about, oldest first. A filter without any restriction is refused: a command about all
 * letters must say so with {@link #all()}.
 *
 * <pre>{@code
 * LetterSelection.matching(LetterFilter.ALL.withName("order.*")).atMost(100)
 * }</pre>
 */
public final class LetterSelection {

    private final LetterFilter filter;
    private final long limit;
    private final boolean includesOvertaken;

    private LetterSelection(LetterFilter filter, long limit) {
        this(filter, limit, false);
    }

    private LetterSelection(LetterFilter filter, long limit, boolean includesOvertaken) {
        this.filter = filter;
        this.limit = limit;
        this.includesOvertaken = includesOvertaken;
    }

    /** Selects all letters. */
    public static LetterSelection all() {
        return new LetterSelection(LetterFilter.ALL, Long.MAX_VALUE);
    }

    /**
     * Selects the letters that the filter selects.
     *
     * @throws IllegalArgumentException when the filter does not restrict anything
     */
    public static LetterSelection matching(LetterFilter filter) {
        if (filter.redacted().isEmpty()
                ? filter.equals(LetterFilter.ALL)
                : filter.equals(LetterFilter.ALL.withRedacted(LetterFilter.Redacted.INCLUDED))) {
            throw new IllegalArgumentException(
                    "the filter must restrict the letters, got a filter for all letters; select all letters explicitly");
        }
        return new LetterSelection(filter, Long.MAX_VALUE);
    }

    /**
     * Selects the letters with these ids.
     *
     * @throws IllegalArgumentException when there are no ids
     */
    public static LetterSelection ofIds(Collection<Long> ids) {
        if (ids.isEmpty()) {
            throw new IllegalArgumentException("ids must name at least one letter, got none");
        }
        return matching(LetterFilter.ofIds(List.copyOf(ids)));
    }

    /**
     * Returns the same selection, limited to the oldest {@code letters}.
     *
     * @throws IllegalArgumentException when the limit is below 1
     */
    public LetterSelection atMost(long letters) {
        if (letters < 1) {
            throw new IllegalArgumentException("limit must be at least 1, got " + letters);
        }
        return new LetterSelection(filter, letters, includesOvertaken);
    }

    /**
     * Returns the same selection, whose redrive also takes letters that were overtaken by a newer finished event of their
     * ordering key. Only redrives leave such letters out.
     */
    public LetterSelection includingOvertaken() {
        return new LetterSelection(filter, limit, true);
    }

    /** Returns the same selection without overtaken letters, unless they are included explicitly. */
    LetterSelection forRedrive() {
        return includesOvertaken || filter.overtaken().isPresent()
                ? this
                : new LetterSelection(filter.withOvertaken(false), limit, false);
    }

    /** Returns true when a redrive takes overtaken letters too. */
    public boolean includesOvertaken() {
        return includesOvertaken;
    }

    /** Returns the same selection, also for a redrive of letters with redacted parts, which redrives leave out otherwise. */
    public LetterSelection withRedacted() {
        return new LetterSelection(filter.withRedacted(LetterFilter.Redacted.INCLUDED), limit, includesOvertaken);
    }

    /** Returns the filter as given. */
    public LetterFilter filter() {
        return filter;
    }

    /** Returns the most letters to change. */
    public long limit() {
        return limit;
    }

    /**
     * Returns the filter without letters that die from {@code now} on, since the operator has not seen such letters. A letter named
     * by id was seen, also when the clock of the letter's node is ahead of the operator's clock.
     */
    LetterFilter frozenAt(Instant now) {
        if (!filter.ids().isEmpty()) {
            return filter;
        }
        // Stores keep microseconds: the first moment after now.
        Instant end = now.plusNanos(1_000);
        Instant until = filter.until().filter(given -> given.isBefore(end)).orElse(end);
        return filter.withTime(filter.since().orElse(null), until);
    }
}
