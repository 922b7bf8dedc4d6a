/**
 * The nouns and ports of durable work, and the in-memory store that is the reference for the durable stores. No I/O and no
 * threads.
 *
 * <dl>
 * <dt>event</dt><dd>a fact that happened and must be handled; named, immutable, with a payload of bytes</dd>
 * <dt>store</dt><dd>keeps events and dead letters; {@link io.redrive.events.EventStore}</dd>
 * <dt>publish</dt><dd>to put an event into a store, durably and without duplicates</dd>
 * <dt>duplicate</dt><dd>a published event whose id and correlation id the store knows already</dd>
 * <dt>key</dt><dd>the id and correlation id of a published event, kept for a retention time to detect duplicates</dd>
 * <dt>node</dt><dd>a process that claims events; its pipeline runs the handlers</dd>
 * <dt>claim</dt><dd>an event lent to a node; {@link io.redrive.events.Claim}</dd>
 * <dt>immediate claim</dt><dd>a claim made by the transaction that publishes the event; {@link io.redrive.events.ImmediateClaim}</dd>
 * <dt>lease</dt><dd>the time for which a claim holds unless the node extends it</dd>
 * <dt>token</dt><dd>the fence of a claim: a settlement with another token is stale and changes nothing</dd>
 * <dt>lane</dt><dd>a queue that is claimed separately; chosen by priority, or for suspects</dd>
 * <dt>suspect</dt><dd>an event that was claimed by three or more processes that died</dd>
 * <dt>set aside</dt><dd>said of a due event that claimers refuse; it waits by name for a claimer with a handler</dd>
 * <dt>ordering key</dt><dd>events with the same ordering key are handled one after another</dd>
 * <dt>settlement</dt><dd>the end of a claim: done, retry, dead, release or snooze</dd>
 * <dt>exchange</dt><dd>one transaction that applies settlements and claims events</dd>
 * <dt>attempt</dt><dd>one run of a handler; it fails, is interrupted, or crashes with its process</dd>
 * <dt>history</dt><dd>the records of an event's failed attempts</dd>
 * <dt>letter</dt><dd>short for dead letter: an event that failed for good; {@link io.redrive.events.DeadLetter}</dd>
 * <dt>cause</dt><dd>the failure that letters of one group share, named by its fingerprint</dd>
 * <dt>redrive</dt><dd>to make the event of a letter ready again; letters of one redrive are a batch</dd>
 * <dt>operation</dt><dd>short for redrive operation: a stored redrive of many letters, carried on by any node; {@link
 * io.redrive.events.RedriveOperation}</dd>
 * <dt>selection</dt><dd>the letters of an operation, frozen at its preview</dd>
 * <dt>turn</dt><dd>one step of an operation, in one transaction; {@link io.redrive.events.RedriveTurn}</dd>
 * <dt>canary</dt><dd>an operation in stages, which halts when a cause of its letters returns</dd>
 * <dt>life</dt><dd>the time of an event from publishing or redriving until done or dead</dd>
 * <dt>version</dt><dd>a payload that a letter had before an edit or a repair; {@link io.redrive.events.LetterVersion}</dd>
 * <dt>command</dt><dd>an operator's change of letters or operations; one row in the record of actions</dd>
 * <dt>activity</dt><dd>counts and durations of events by minute and name; {@link io.redrive.events.activity}</dd>
 * <dt>handled event</dt><dd>an event that is done, as the sample keeps it; a long payload is <em>cut</em>; {@link
 * io.redrive.events.HandledEvent}</dd>
 * <dt>sample</dt><dd>short for handled sample: few handled events of each name; {@link io.redrive.events.HandledSamples}</dd>
 * <dt>redaction</dt><dd>the replacement of secrets by rules; {@link io.redrive.events.redaction}</dd>
 * <dt>proposal</dt><dd>a command that waits for the approval of a person; {@link io.redrive.events.Proposals}</dd>
 * <dt>log</dt><dd>an ordered source of records outside the store, for example a partition of a Kafka topic</dd>
 * <dt>place</dt><dd>the number of a record in its log, ascending; a place whose record was adopted is <em>settled</em></dd>
 * <dt>adopt</dt><dd>to store the event of a record, as waiting or as a letter, at most once for each place; {@link
 * io.redrive.events.Adoptions}</dd>
 * <dt>bookmark</dt><dd>the row of the store that belongs to one log; its epoch counts the takeovers</dd>
 * <dt>takeover</dt><dd>makes a process the owner of a bookmark and ends the rights of the owner before</dd>
 * <dt>flow</dt><dd>records of a log on their way to the handlers of a node; {@link io.redrive.events.flow}</dd>
 * <dt>note</dt><dd>a small fact that all nodes of a store share</dd>
 * </dl>
 */
@NullMarked
package io.redrive.events;

import org.jspecify.annotations.NullMarked;
