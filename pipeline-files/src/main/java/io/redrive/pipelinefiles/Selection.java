package io.redrive.pipelinefiles;

import io.redrive.items.Item;
import io.redrive.items.SampleSource;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The samples of an input that a run takes. The same selection of the same input always takes the same samples: the place of a sample
 * and the seed alone decide whether the sample is drawn.
 *
 * @param limit the largest number of samples; 0 for all
 * @param share the share of the samples that is drawn at random; 1 for all
 * @param seed the seed of the random choice
 */
public record Selection(long limit, double share, long seed) {

    /** Takes all samples. */
    public static final Selection ALL = new Selection(0, 1, 0);

    private static final long GOLDEN = 0x9E3779B97F4A7C15L;
    private static final double TWO_TO_53 = 0x1p53;

    /** Refuses a selection of nothing. */
    public Selection {
        if (limit < 0) {
            throw new IllegalArgumentException("limit must be 0, for all samples, or more, got " + limit);
        }
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException("share must be above 0% and at most 100%, got " + share);
        }
    }

    /**
     * Reads a share such as {@code 5%} or {@code 0.05}.
     *
     * @throws IllegalArgumentException when it is not above 0% and at most 100%; the message begins with the rule
     */
    public static double share(String text) {
        String rule = "must be a share above 0% and at most 100%, such as 5% or 0.05, got '" + text + "'";
        double share;
        try {
            share = Parse.share(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(rule, e);
        }
        if (share == 0) {
            throw new IllegalArgumentException(rule);
        }
        return share;
    }

    /** Returns this selection with at most {@code most} samples. */
    public Selection atMost(long most) {
        return new Selection(limit == 0 ? most : Math.min(limit, most), share, seed);
    }

    /** Returns the samples of {@code all} that are selected. */
    public SampleSource<String> of(SampleSource<String> all) {
        return equals(ALL) || (limit == 0 && share == 1) ? all : new Selected(this, all);
    }

    private boolean draws(long place) {
        if (share == 1) {
            return true;
        }
        long mixed = (place + 1) * GOLDEN + seed * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        mixed ^= mixed >>> 31;
        return (mixed >>> 11) / TWO_TO_53 < share;
    }

    private record Selected(Selection selection, SampleSource<String> all) implements SampleSource<String> {

        /** Counts the selected samples by reading them, up to the limit. */
        @Override
        public OptionalLong size() throws Exception {
            long count = 0;
            try (Cursor<String> cursor = open()) {
                while (cursor.next().isPresent()) {
                    count++;
                }
            }
            return OptionalLong.of(count);
        }

        @Override
        public Cursor<String> open() throws Exception {
            Cursor<String> cursor = all.open();
            return new Cursor<>() {
                private long place = -1;
                private long taken;

                @Override
                public Optional<Item<String>> next() throws Exception {
                    while (selection.limit == 0 || taken < selection.limit) {
                        Optional<Item<String>> next = cursor.next();
                        place++;
                        if (next.isEmpty()) {
                            return next;
                        }
                        if (selection.draws(place)) {
                            taken++;
                            return next;
                        }
                    }
                    return Optional.empty();
                }

                @Override
                public void close() throws Exception {
                    cursor.close();
                }
            };
        }
    }
}
