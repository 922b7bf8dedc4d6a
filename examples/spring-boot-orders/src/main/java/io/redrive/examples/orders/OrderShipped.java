package io.redrive.examples.orders;

/** The payload of {@code order.shipped}. */
record OrderShipped(String order) {}
