package io.redrive.bench;

/** The limit: the shortest possible retry loop and breaker. */
final class HandWritten {

    private HandWritten() {}

    static Object retry(FlakyCall call) {
        for (int attempt = 1; ; attempt++) {
            try {
                return call.run();
            } catch (RuntimeException e) {
                if (attempt == Library.ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /** Refuses calls after a number of failures in a row. */
    static final class Breaker {
        private volatile int failuresInARow;

        Object call(FlakyCall call) {
            if (failuresInARow >= Library.WINDOW / 2) {
                throw new IllegalStateException("open");
            }
            try {
                Object value = retry(call);
                if (failuresInARow != 0) {
                    failuresInARow = 0;
                }
                return value;
            } catch (RuntimeException e) {
                synchronized (this) {
                    failuresInARow++;
                }
                throw e;
            }
        }
    }
}
