package io.redrive.examples.orders;

/** The payload of {@code order.placed}. */
record OrderPlaced(String order, String item) {}
