package io.redrive.items;

/**
 * A sample that passed all stages, for the sink.
 *
 * @param run the id of the run
 * @param ordinal the position of the sample in the source, from 0; unique within the run
 * @param id the id of the sample, for people
 * @param value the value that the last stage returned
 * @param <T> the type of the values
 */
public record Result<T>(String run, long ordinal, String id, T value) {}
