package io.redrive.items.run;

import io.redrive.items.RunSettings;

/**
 * How many samples this process holds and how much memory their payloads take, against the limits of the run's settings. A
 * sample is held from its arrival until the store has its end, or has it back. Used by the coordinator only.
 */
final class Window {

    private final RunSettings settings;
    private final int maxPayload;
    private int held;
    private long bytes;
    /** Bytes of the largest payload so far. */
    private int largest;

    Window(RunSettings settings, int maxPayload) {
        this.settings = settings;
        this.maxPayload = maxPayload;
    }

    /** How many more samples may arrive. */
    int room() {
        return bytes < settings.windowBytes() ? settings.window() - held : 0;
    }

    /** How many more samples of unknown size may arrive, each taken to be as large as the largest so far; 1 at least. */
    int roomForUnknown() {
        long fit = (settings.windowBytes() - bytes) / (largest == 0 ? maxPayload : largest);
        return (int) Math.min(room(), Math.max(1, fit));
    }

    int held() {
        return held;
    }

    /** True when half the window waits for retries: further samples wait in the store. */
    boolean isHalfFull(int samples, long payloads) {
        return samples >= Math.max(1, settings.window() / 2) || payloads >= settings.windowBytes() / 2;
    }

    void arrived(Sample sample) {
        held++;
        count(sample.payload().length);
    }

    /** A stage replaced the payload of the sample. */
    void replaced(Sample sample, byte[] made) {
        bytes -= sample.payload().length;
        count(made.length);
    }

    private void count(int payload) {
        bytes += payload;
        largest = Math.max(largest, payload);
    }

    /** The store has a page by which these samples left; until then their payloads were in memory. */
    void left(int samples, long payloads) {
        held -= samples;
        bytes -= payloads;
    }
}
