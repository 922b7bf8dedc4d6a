package io.redrive.bench;

/** The limit: a retry loop and a breaker as short as they can be. */
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

    /** Refuses calls after so many failures in a row. */
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
