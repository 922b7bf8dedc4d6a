package io.redrive.server.webhook;

/** A text that {@code toString} hides, because logs and messages print records. */
record HiddenText(String text) {

    @Override
    public String toString() {
        return "(hidden)";
    }
}
