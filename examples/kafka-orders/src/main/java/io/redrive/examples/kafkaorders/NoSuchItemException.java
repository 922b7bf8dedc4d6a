package io.redrive.examples.kafkaorders;

/** The warehouse does not know the item. A retry does not help, hence {@code do-not-retry-on} in the settings. */
final class NoSuchItemException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NoSuchItemException(String item) {
        super("the warehouse has no item '" + item + "'");
    }
}
