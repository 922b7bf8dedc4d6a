package io.redrive.kafka;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Base64;
import java.util.BitSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.CRC32;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * How far a partition is finished: the watermark, which is the committed offset, the finished offsets above it, and the failed
 * attempts of records that wait in memory. Everything but the watermark travels as the metadata of Kafka's commit, so that the
 * next owner of the partition repeats neither finished records nor spent attempts.
 *
 * <p>The progress of a careful owner has announced offsets, too: see {@link Announcements}.
 *
 * <p>The metadata never exceeds {@link #MAX_METADATA} characters. Finished offsets within {@link #SPAN} of the watermark always
 * fit, because a bitmap of so many bits fits even when it cannot be compressed. Of the failed attempts as many as fit are kept,
 * the lowest offsets first.
 *
 * @param watermark the first offset that is not finished
 * @param finished finished offsets above the watermark
 * @param failed failed attempts by offset
 * @param announced offsets of records that may be in a handler; at most {@link Announcements#MOST}
 */
record Progress(
        long watermark, NavigableSet<Long> finished, NavigableMap<Long, Integer> failed, NavigableSet<Long> announced) {

    /** Offsets above the watermark that may be under way at once. */
    static final int SPAN = 16_000;
    /** Brokers refuse metadata of more than 4,096 bytes, unless configured otherwise. */
    static final int MAX_METADATA = 3_000;

    private static final String MARK = "redrive1.";
    private static final int MAX_COUNT = 1_000_000;

    static Progress at(long watermark) {
        return new Progress(watermark, new TreeSet<>(), new TreeMap<>(), new TreeSet<>());
    }

    /** Returns true for metadata that Redrive wrote. The tools of an operator write other metadata, or none. */
    static boolean isOurs(String metadata) {
        return metadata.startsWith(MARK);
    }

    /** Returns the metadata of this progress. */
    String metadata() {
        NavigableMap<Long, Integer> kept = failed.subMap(watermark, true, watermark + SPAN, false);
        while (true) {
            String text = MARK + Base64.getUrlEncoder().withoutPadding().encodeToString(packed(kept));
            if (text.length() <= MAX_METADATA) {
                return text;
            }
            if (kept.isEmpty()) {
                throw new IllegalStateException("metadata of " + finished.size() + " finished offsets above "
                        + watermark + " must be at most " + MAX_METADATA + " characters, got " + text.length());
            }
            kept = lowerHalf(kept);
        }
    }

    private static NavigableMap<Long, Integer> lowerHalf(NavigableMap<Long, Integer> counts) {
        NavigableMap<Long, Integer> half = new TreeMap<>();
        for (Map.Entry<Long, Integer> each : counts.entrySet()) {
            if (half.size() == counts.size() / 2) {
                break;
            }
            half.put(each.getKey(), each.getValue());
        }
        return half;
    }

    /** The watermark is inside too: metadata that an operator's tool copied to another offset must not count there. */
    private byte[] packed(NavigableMap<Long, Integer> counts) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            ByteArrayOutputStream plain = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(plain);
            out.writeLong(watermark);
            byte[] bits = bitmap().toByteArray();
            out.writeShort(bits.length);
            out.write(bits);
            out.writeShort(counts.size());
            for (Map.Entry<Long, Integer> each : counts.entrySet()) {
                out.writeShort((int) (each.getKey() - watermark));
                out.writeInt(each.getValue());
            }
            if (!announced.isEmpty()) {
                writeAnnounced(out);
            }
            CRC32 sum = new CRC32();
            sum.update(plain.toByteArray());
            try (DataOutputStream deflated = new DataOutputStream(new DeflaterOutputStream(bytes))) {
                deflated.writeInt((int) sum.getValue());
                deflated.write(plain.toByteArray());
            }
        } catch (IOException e) {
            throw new AssertionError("bytes in memory are always written", e);
        }
        return bytes.toByteArray();
    }

    /** Earlier versions neither write nor read announced offsets: they are the end of the metadata, or missing. */
    private void writeAnnounced(DataOutputStream out) throws IOException {
        NavigableSet<Long> kept = announced.subSet(watermark, true, watermark + SPAN, false);
        out.writeShort(kept.size());
        for (long offset : kept) {
            out.writeShort((int) (offset - watermark));
        }
    }

    private BitSet bitmap() {
        BitSet bits = new BitSet();
        for (long offset : finished.subSet(watermark, true, watermark + SPAN, false)) {
            bits.set((int) (offset - watermark));
        }
        return bits;
    }

    /**
     * Reads a committed offset with its metadata. Metadata that is cut, garbled or of another offset tells nothing: the records
     * above the offset count as unfinished.
     */
    static Progress read(long offset, String metadata) {
        if (!isOurs(metadata)) {
            return at(offset);
        }
        try {
            byte[] packed = Base64.getUrlDecoder().decode(metadata.substring(MARK.length()));
            InputStream inflated = new InflaterInputStream(new ByteArrayInputStream(packed));
            byte[] all = inflated.readNBytes(2 * SPAN + 8 * MAX_METADATA);
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(all));
            int expected = in.readInt();
            CRC32 sum = new CRC32();
            sum.update(all, Integer.BYTES, all.length - Integer.BYTES);
            return (int) sum.getValue() == expected && in.readLong() == offset ? unpacked(offset, in) : at(offset);
        } catch (IOException | IllegalArgumentException e) {
            return at(offset);
        }
    }

    private static Progress unpacked(long offset, DataInputStream in) throws IOException {
        BitSet bits = BitSet.valueOf(in.readNBytes(in.readUnsignedShort()));
        Progress progress = at(offset);
        bits.stream().forEach(bit -> progress.finished.add(offset + bit));
        int counts = in.readUnsignedShort();
        for (int i = 0; i < counts; i++) {
            long failing = offset + in.readUnsignedShort();
            progress.failed.put(failing, Math.min(MAX_COUNT, Math.max(0, in.readInt())));
        }
        for (int left = in.available() > 0 ? in.readUnsignedShort() : 0; left > 0; left--) {
            progress.announced.add(offset + in.readUnsignedShort());
        }
        return progress;
    }
}
