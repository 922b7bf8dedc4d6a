package io.redrive.core;

import java.time.Duration;
import java.util.Optional;

/** An exception (or result) that knows how long the failing side wants to be left alone; no retry comes sooner. */
public interface HasRetryAfter {

    /** The delay asked for, or empty when none was. */
    Optional<Duration> retryAfter();
}
