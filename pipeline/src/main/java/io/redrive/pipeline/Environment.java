package io.redrive.pipeline;

import io.redrive.core.Time;
import io.redrive.events.activity.ActivityRecorder;
import java.util.random.RandomGenerator;

/** The clock, the random source, the listeners and the counts of a pipeline. */
record Environment(Time time, RandomGenerator random, Listeners listeners, ActivityRecorder activity) {}
