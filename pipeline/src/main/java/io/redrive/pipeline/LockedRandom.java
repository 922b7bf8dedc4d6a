package io.redrive.pipeline;

import java.util.random.RandomGenerator;

/**
 * A random source for several threads: workers decide on retries at the same time, and most generators allow one thread
 * only.
 */
final class LockedRandom implements RandomGenerator {

    private final RandomGenerator source;

    LockedRandom(RandomGenerator source) {
        this.source = source;
    }

    @Override
    public synchronized long nextLong() {
        return source.nextLong();
    }
}
