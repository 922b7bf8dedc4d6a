package io.redrive.examples.kafkaorders;

/** The payload of {@code order.placed}. */
record Order(int number, String item) {}
