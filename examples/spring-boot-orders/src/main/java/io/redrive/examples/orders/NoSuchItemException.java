package io.redrive.examples.orders;

/** The warehouse has never heard of it. To ask again does not help: {@code do-not-retry-on} in the settings. */
final class NoSuchItemException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NoSuchItemException(String item) {
        super("the warehouse has no item '" + item + "'");
    }
}
