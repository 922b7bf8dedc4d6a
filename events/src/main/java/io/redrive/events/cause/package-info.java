/**
 * Causes of dead letters, as a work list that remembers. The terms, in the order in which a reader meets them:
 *
 * <dl>
 *   <dt>cause</dt>
 *   <dd>Dead letters with the same fingerprint. A cause outlives its letters: notes stay when the letters were redriven.
 *   <dt>sighting</dt>
 *   <dd>The number of letters of a cause by day, event name and version of the service.
 *   <dt>care</dt>
 *   <dd>What operators said about a cause: owner, note, ticket and stance.
 *   <dt>stance</dt>
 *   <dd>The last decision of an operator: the cause is open, resolved or ignored.
 *   <dt>status</dt>
 *   <dd>The state of a cause now, which follows from the stance and from later sightings: a resolved cause that comes back is
 *       <em>regressed</em>.
 *   <dt>merged cause</dt>
 *   <dd>A cause whose letters, past and future, count as letters of another cause.
 * </dl>
 */
@NullMarked
package io.redrive.events.cause;

import org.jspecify.annotations.NullMarked;
