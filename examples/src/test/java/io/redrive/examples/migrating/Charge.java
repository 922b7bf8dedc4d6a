package io.redrive.examples.migrating;

import java.io.IOException;

/** The downstream in the examples of the migration page, which fails a few times at first. */
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
