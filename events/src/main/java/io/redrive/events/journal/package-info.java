/**
 * The events that a store has finished, remembered for a while: the port {@link io.redrive.events.journal.Journal} and
 * its nouns.
 *
 * <dl>
 * <dt>journal</dt><dd>the finished events of a store, kept for the journal's retention</dd>
 * <dt>finished</dt><dd>handled and settled as done; a dead event is no finished event</dd>
 * <dt>retention</dt><dd>how long a finished event stays in the journal; zero switches the journal off</dd>
 * </dl>
 */
@NullMarked
package io.redrive.events.journal;

import org.jspecify.annotations.NullMarked;
