package io.redrive.jdbc;

import io.redrive.items.store.AttemptStatus;
import io.redrive.items.store.Commit.Change;
import io.redrive.items.store.SampleRecord;
import io.redrive.items.store.StageAttempt;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.io.JsonStringEncoder;

/**
 * Samples and their audit trail as JSON, which is written much faster than rows: SQLite's driver crosses into native
 * code for each value of each row, and PostgreSQL makes a tuple of each row. The views {@code run_trail} and {@code
 * run_all_samples} return the parts.
 *
 * <p>A line of the trail is an array: time, duration, stage; and unless the first attempt succeeded: attempt, status,
 * delay, error type, message. The number of a line is its index. A sample is an array: the distance of its key from the
 * first key of its block, state, stage, id, lines.
 *
 * <p>One loop writes all numbers into one byte array, without builders: this is most of the work for a sample, and the
 * JVM compiles one small loop early in a run.
 */
final class SampleJson {

    /** Upper bound of the bytes of a line without its texts. */
    private static final int ROOM = 160;

    private final StageNumbers stages;
    private final long[] numbers = new long[6];
    private byte[] json = new byte[16 * 1024];
    private int length;

    /** Samples that are written together, and the key of the first. */
    record Block(long first, byte[] json) {}

    SampleJson(StageNumbers stages) {
        this.stages = stages;
    }

    /** The lines which a commit adds to the trail of one sample; null when it adds no line. */
    @Nullable
    String trail(List<StageAttempt> lines) throws SQLException {
        if (lines.isEmpty()) {
            return null;
        }
        length = 0;
        add(lines);
        // Without the comma before the first line.
        return new String(json, 1, length - 1, StandardCharsets.UTF_8);
    }

    /** All these samples, with their trail. */
    List<Block> blocks(long run, List<Change> changes) throws SQLException {
        List<Block> blocks = new ArrayList<>();
        long first = 0;
        length = 0;
        for (int i = 0; i < changes.size(); i++) {
            SampleRecord sample = changes.get(i).sample();
            long key = RunRows.key(run, sample.ordinal());
            if (length > 0 && !isOneBlock(first, key)) {
                blocks.add(block(first));
                length = 0;
            }
            room();
            if (length == 0) {
                first = key;
                json[length++] = '[';
            } else {
                json[length++] = ',';
            }
            add(key - first, sample);
            add(changes.get(i).lines());
            json[length++] = ']';
        }
        blocks.add(block(first));
        return blocks;
    }

    private static boolean isOneBlock(long first, long key) {
        return key > first && key / Dialect.SAMPLES_IN_A_BLOCK == first / Dialect.SAMPLES_IN_A_BLOCK;
    }

    private Block block(long first) {
        json[length++] = ']';
        return new Block(first, Arrays.copyOf(json, length));
    }

    private void add(long distance, SampleRecord sample) {
        json[length++] = '[';
        numbers[0] = distance;
        numbers[1] = RunRows.code(sample.state());
        numbers[2] = sample.stage();
        addNumbers(3);
        json[length++] = ',';
        addText(sample.id());
    }

    private void add(List<StageAttempt> lines) throws SQLException {
        for (int i = 0; i < lines.size(); i++) {
            add(lines.get(i));
        }
    }

    private void add(StageAttempt line) throws SQLException {
        room();
        json[length++] = ',';
        json[length++] = '[';
        numbers[0] = Micros.of(line.at());
        numbers[1] = EventRows.nanos(line.duration());
        numbers[2] = stages.of(line);
        if (succeededAtOnce(line)) {
            addNumbers(3);
        } else {
            numbers[3] = line.attempt();
            numbers[4] = RunRows.code(line.status());
            numbers[5] = EventRows.nanos(line.delay());
            addNumbers(6);
            addTextOrNull(line.errorType());
            addTextOrNull(line.message());
        }
        json[length++] = ']';
    }

    private static boolean succeededAtOnce(StageAttempt line) {
        return line.status() == AttemptStatus.SUCCESS
                && line.attempt() == 1
                && line.delay().isZero()
                && line.errorType().isEmpty()
                && line.message().isEmpty();
    }

    private void addTextOrNull(String value) {
        json[length++] = ',';
        if (value.isEmpty()) {
            json[length++] = 'n';
            json[length++] = 'u';
            json[length++] = 'l';
            json[length++] = 'l';
        } else {
            addText(value);
        }
    }

    private void addText(String value) {
        byte[] quoted = JsonStringEncoder.getInstance().quoteAsUTF8(value);
        room(quoted.length);
        json[length++] = '"';
        System.arraycopy(quoted, 0, json, length, quoted.length);
        length += quoted.length;
        json[length++] = '"';
    }

    /** Appends the first {@code count} numbers, separated by commas. */
    private void addNumbers(int count) {
        for (int i = 0; i < count; i++) {
            long rest = numbers[i];
            if (rest < 0) {
                json[length++] = '-';
                rest = -rest;
            }
            length += digits(rest);
            int at = length;
            do {
                json[--at] = (byte) ('0' + rest % 10);
                rest /= 10;
            } while (rest > 0);
            json[length++] = ',';
        }
        length--;
    }

    private static int digits(long value) {
        int digits = 1;
        for (long rest = value / 10; rest > 0; rest /= 10) {
            digits++;
        }
        return digits;
    }

    private void room() {
        room(0);
    }

    /** Ensures room for {@code bytes} bytes and a line without its texts. */
    private void room(int bytes) {
        if (length + bytes + ROOM > json.length) {
            json = Arrays.copyOf(json, 2 * json.length + bytes);
        }
    }
}
