package io.redrive.items.store;

/**
 * A dead sample and where it belongs.
 *
 * @param run the run's id
 * @param pipeline the pipeline's name
 * @param stage the stage where it died; {@code source} when it could not be read
 * @param sample the sample, with its death and, where it could be kept, its payload
 */
public record DeadSample(String run, String pipeline, String stage, SampleRecord sample) {}
