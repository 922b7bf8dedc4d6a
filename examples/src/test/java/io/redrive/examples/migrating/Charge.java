package io.redrive.examples.migrating;

import java.io.IOException;

/** What every side of the migration page calls: a downstream that fails a few times first. */
final class Charge {

    private final Exception failure;
    private int failures;
    private int calls;

    Charge(int failures) {
        this(failures, new IOException("connection reset"));
    }

    Charge(int failures, Exception failure) {
        this.failures = failures;
        this.failure = failure;
    }

    String send() throws IOException {
        calls++;
        if (failures-- > 0) {
            if (failure instanceof IOException io) {
                throw io;
            }
            throw (RuntimeException) failure;
        }
        return "receipt";
    }

    int calls() {
        return calls;
    }
}
