package io.redrive.items;

/**
 * Which attempt at which sample this is. {@code run + "/" + ordinal} names the sample for good: a key for services that
 * take one to tell repeated calls.
 *
 * @param run the run's id
 * @param ordinal the sample's place in the source, from 0
 * @param id the sample's id
 * @param attempt the attempt at this stage, from 1
 */
public record SampleContext(String run, long ordinal, String id, int attempt) {}
