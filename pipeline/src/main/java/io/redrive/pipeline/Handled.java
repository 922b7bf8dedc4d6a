package io.redrive.pipeline;

import io.redrive.events.Claim;
import java.time.Duration;
import java.time.Instant;

/** One event that a handler is through with: what it said, when it began and how long it took. */
record Handled(Claim claim, Outcome outcome, Instant began, Duration took) {}
