package io.redrive.pipeline;

import java.util.function.Supplier;

/**
 * Returns the alert thresholds in force, which may change while a process runs: pipeline, operations and console of a process ask the
 * same object. {@link AlertThresholds} itself stands for thresholds that never change. Thread-safe.
 */
@FunctionalInterface
public interface ThresholdsInForce extends Supplier<AlertThresholds> {}
