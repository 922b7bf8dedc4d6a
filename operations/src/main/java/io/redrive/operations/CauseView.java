package io.redrive.operations;

import io.redrive.events.cause.Cause;
import io.redrive.events.cause.CauseStatus;

/**
 * A cause as an operator sees it now.
 *
 * @param cause the cause
 * @param status the state of the cause
 * @param letters the number of its dead letters now
 */
public record CauseView(Cause cause, CauseStatus status, long letters) {}
