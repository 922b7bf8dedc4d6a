package io.redrive.events.activity;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * How often durations of each length occurred, from one microsecond to 100 days. Histograms of several minutes, names
 * or nodes add up to the histogram of all their durations, which averages and stored percentiles do not.
 *
 * <p>Durations below 8 µs have a bucket each. Above, eight buckets of equal width divide each doubling, so that {@link
 * #percentile} is at most 7 % away from a recorded duration. Immutable; {@link Builder} records.
 */
public final class DurationHistogram {

    /** The histogram without durations. */
    public static final DurationHistogram EMPTY = new DurationHistogram(0, new long[0]);

    /** The most bytes of an encoded histogram. */
    public static final int MAX_ENCODED = 4_000;

    private static final int PER_DOUBLING = 8;
    private static final int BITS = 3;
    private static final long LONGEST_MICROS = (1L << 43) - 1;
    private static final int BUCKETS = bucketOf(LONGEST_MICROS) + 1;
    private static final long NANOS_PER_MICRO = 1_000;

    /** The bucket of the first count. */
    private final int first;

    private final long[] counts;
    private final long total;

    private DurationHistogram(int first, long[] counts) {
        this.first = first;
        this.counts = counts;
        long sum = 0;
        for (long count : counts) {
            sum = Saturated.sum(sum, count);
        }
        total = sum;
    }

    /** Returns a histogram of these durations. */
    public static DurationHistogram of(Duration... durations) {
        Builder builder = new Builder();
        for (Duration duration : durations) {
            builder.add(duration);
        }
        return builder.build();
    }

    /** Returns the number of durations. */
    public long count() {
        return total;
    }

    /** Returns the histogram of the durations of both. */
    public DurationHistogram plus(DurationHistogram other) {
        return new Builder().add(this).add(other).build();
    }

    /**
     * Returns the duration that this share of the durations does not exceed, rounded to the middle of its bucket; zero
     * without durations.
     *
     * @param share from 0 to 1: 0.5 for the median, 0.95 for the 95th percentile
     * @throws IllegalArgumentException if the share is out of range
     */
    public Duration percentile(double share) {
        // Written this way round, NaN is refused too.
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("share must be between 0 and 1, got " + share);
        }
        double rank = Math.max(1, share * total);
        double seen = 0;
        for (int i = 0; i < counts.length; i++) {
            seen += counts[i];
            if (seen >= rank) {
                return middleOf(first + i);
            }
        }
        return counts.length == 0 ? Duration.ZERO : middleOf(first + counts.length - 1);
    }

    /**
     * Returns a short form for stores: for each bucket with a count, the distance from the bucket before and the count,
     * both as numbers of variable length. No bytes without durations.
     */
    public byte[] encode() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        int last = -1;
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                writeNumber(out, first + i - last);
                writeNumber(out, counts[i]);
                last = first + i;
            }
        }
        return out.toByteArray();
    }

    /**
     * Reads the form that {@link #encode} writes.
     *
     * @throws IllegalArgumentException for bytes that {@link #encode} does not write
     */
    public static DurationHistogram decode(byte[] bytes) {
        if (bytes.length > MAX_ENCODED) {
            throw refused(bytes, "at most " + MAX_ENCODED + " bytes");
        }
        Builder builder = new Builder();
        int[] position = {0};
        long last = -1;
        while (position[0] < bytes.length) {
            long distance = readNumber(bytes, position);
            long count = readNumber(bytes, position);
            if (distance < 1 || distance > BUCKETS || last + distance >= BUCKETS) {
                throw refused(bytes, "buckets in ascending order below " + BUCKETS);
            }
            if (count < 1) {
                throw refused(bytes, "counts of at least 1");
            }
            last += distance;
            builder.add((int) last, count);
        }
        return builder.build();
    }

    private static void writeNumber(ByteArrayOutputStream out, long number) {
        long rest = number;
        while (rest > 0x7F) {
            out.write((int) (rest & 0x7F | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }

    /** Reads the number at the position, and moves the position behind the number. */
    private static long readNumber(byte[] bytes, int[] position) {
        long number = 0;
        for (int shift = 0; shift <= 56; shift += 7) {
            if (position[0] == bytes.length) {
                throw refused(bytes, "whole numbers");
            }
            byte next = bytes[position[0]++];
            number |= (long) (next & 0x7F) << shift;
            if (next >= 0) {
                // A last byte of zero adds nothing: the number has a shorter form.
                if (next == 0 && shift > 0) {
                    throw refused(bytes, "numbers in their shortest form");
                }
                return number;
            }
        }
        throw refused(bytes, "numbers of at most 9 bytes");
    }

    private static IllegalArgumentException refused(byte[] bytes, String rule) {
        return new IllegalArgumentException(
                "an encoded histogram must have " + rule + "; got " + bytes.length + " bytes that do not");
    }

    /** The index of the bucket for a number of microseconds. */
    private static int bucketOf(long micros) {
        if (micros < PER_DOUBLING) {
            return (int) Math.max(0, micros);
        }
        long within = Math.min(micros, LONGEST_MICROS);
        int exponent = Long.SIZE - 1 - Long.numberOfLeadingZeros(within);
        int part = (int) (within >>> exponent - BITS) & PER_DOUBLING - 1;
        return (exponent - BITS + 1) * PER_DOUBLING + part;
    }

    private static Duration middleOf(int bucket) {
        if (bucket < PER_DOUBLING) {
            return Duration.ofNanos(bucket * NANOS_PER_MICRO);
        }
        int shift = bucket / PER_DOUBLING - 1;
        long lowest = (long) (PER_DOUBLING + bucket % PER_DOUBLING) << shift;
        return Duration.ofNanos(lowest * NANOS_PER_MICRO + (NANOS_PER_MICRO << shift) / 2);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof DurationHistogram that && first == that.first && Arrays.equals(counts, that.counts);
    }

    @Override
    public int hashCode() {
        return 31 * first + Arrays.hashCode(counts);
    }

    @Override
    public String toString() {
        return total == 0
                ? "no durations"
                : total + " durations, median " + percentile(0.5) + ", 95 % within " + percentile(0.95);
    }

    /**
     * Records durations. The array of counts grows with the range of the durations, up to a bucket for each length.
     * Not thread-safe.
     */
    public static final class Builder {

        private int first;
        private long[] counts = new long[0];

        /** Records a duration. A negative one counts as zero, one above 100 days as 100 days. */
        public Builder add(Duration duration) {
            long micros = duration.getSeconds() > LONGEST_MICROS / 1_000_000
                    ? LONGEST_MICROS
                    : duration.getSeconds() * 1_000_000 + duration.getNano() / NANOS_PER_MICRO;
            return add(bucketOf(micros), 1);
        }

        /** Records the durations of a histogram. */
        public Builder add(DurationHistogram histogram) {
            for (int i = 0; i < histogram.counts.length; i++) {
                if (histogram.counts[i] > 0) {
                    add(histogram.first + i, histogram.counts[i]);
                }
            }
            return this;
        }

        private Builder add(int bucket, long count) {
            if (counts.length == 0) {
                first = bucket;
                counts = new long[1];
            } else if (bucket < first) {
                long[] wider = new long[counts.length + first - bucket];
                System.arraycopy(counts, 0, wider, first - bucket, counts.length);
                counts = wider;
                first = bucket;
            } else if (bucket >= first + counts.length) {
                counts = Arrays.copyOf(counts, bucket - first + 1);
            }
            counts[bucket - first] = Saturated.sum(counts[bucket - first], count);
            return this;
        }

        /** Forgets the durations. */
        void clear() {
            counts = new long[0];
        }

        /** Returns the histogram of the durations so far. */
        public DurationHistogram build() {
            return counts.length == 0 ? EMPTY : new DurationHistogram(first, counts.clone());
        }
    }
}
