package io.redrive.pipeline;

import io.redrive.events.Settlement;

/** The end of a claim: the settlement for the store, and whether the settlement says anything about the handler. */
sealed interface ClaimEnd {

    /** Returns the settlement for the store. */
    Settlement settlement();

    /** A handler, a validator or the pipeline decided. */
    record Decided(Settlement settlement) implements ClaimEnd {}

    /** The deadline passed before a handler began: the death says nothing about the handler of the event's name. */
    record Expired(Settlement.Dead settlement) implements ClaimEnd {}
}
