package io.redrive.items;

/**
 * A sample that is through.
 *
 * @param run the run's id
 * @param ordinal the sample's place in the source, from 0
 * @param id what people call it
 * @param value what the last stage made
 * @param <T> the values
 */
public record Result<T>(String run, long ordinal, String id, T value) {}
