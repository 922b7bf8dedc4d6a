/**
 * The nouns and ports of durable work. An {@link io.redrive.events.Event} is published to an
 * {@link io.redrive.events.EventStore}, claimed as a {@link io.redrive.events.Claim}, settled by a
 * {@link io.redrive.events.Settlement}, and when all else fails kept as a {@link io.redrive.events.DeadLetter}. No I/O
 * and no threads here.
 */
package io.redrive.events;
