package io.redrive.items.run;

import io.redrive.core.Signal;
import io.redrive.core.Time;
import java.util.concurrent.Executor;

/** Where work runs beside the coordinator, by which clock, and the signal that wakes the coordinator to hear of it. */
record Background(Executor executor, Time time, Signal signal) {}
