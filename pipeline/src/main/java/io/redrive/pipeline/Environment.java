package io.redrive.pipeline;

import io.redrive.core.Time;
import java.util.random.RandomGenerator;

/** The clock, the random source and the listeners of a pipeline. */
record Environment(Time time, RandomGenerator random, Listeners listeners) {}
