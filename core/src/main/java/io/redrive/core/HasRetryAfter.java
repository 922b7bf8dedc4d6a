package io.redrive.core;

import java.time.Duration;
import java.util.Optional;

/** An exception (or result) that knows the shortest delay the failing side accepts; no retry comes sooner. */
public interface HasRetryAfter {

    /** Returns the delay asked for; empty when there is none. */
    Optional<Duration> retryAfter();
}
