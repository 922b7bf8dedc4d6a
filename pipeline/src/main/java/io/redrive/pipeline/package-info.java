/**
 * Events in motion. {@link io.redrive.pipeline.Pipeline#step()} passes every station in order: claim, process, batch, handle,
 * settle. The terms, in the order in which an event meets them:
 *
 * <dl>
 *   <dt>event</dt>
 *   <dd>A durable message in the store: ready, claimed, done or dead.
 *   <dt>node</dt>
 *   <dd>A process with a pipeline on the store. A <em>member</em> is a node as it announces itself to the others.
 *   <dt>lane</dt>
 *   <dd>The events that share slots: critical (priority high and critical), domain (low and normal), suspect (events that may
 *       have ended their process).
 *   <dt>claim</dt>
 *   <dd>The right of one node to handle an event, for the time of a lease.
 *   <dt>immediate claim</dt>
 *   <dd>A claim made by the transaction that publishes the event, in <em>room</em> that the pipeline offers to publishers of its
 *       process.
 *   <dt>lease</dt>
 *   <dd>How long claims last unless the node extends them. Claims of one request share a lease, whose <em>token</em> makes a
 *       settlement stale once the lease has run out.
 *   <dt>ownership</dt>
 *   <dd>True while leases were extended in time: no other node can have the claims.
 *   <dt>exchange</dt>
 *   <dd>One transaction with the store: settles claims that ended and brings new claims.
 *   <dt>verdict</dt>
 *   <dd>The decision about a claim before a handler begins: handle, put off, reject, or expired.
 *   <dt>admission</dt>
 *   <dd>The check of pauses and retry budgets. A <em>pause</em> keeps events of a name in the store, because nearly all of
 *       them die or because an operator said so; a <em>probe</em> is the one event that passes when a pause of the pipeline is over. A <em>retry budget</em> limits retries by tokens.
 *   <dt>batch</dt>
 *   <dd>Claims of one lane, handler and source that leave the batcher together.
 *   <dt>slot</dt>
 *   <dd>Room for one running handler. An <em>assignment</em> is the claims of one handler call; a <em>worker</em> works on
 *       assignments, one after the other.
 *   <dt>attempt</dt>
 *   <dd>One call of an event's validators, interceptors and handler. Its <em>outcome</em> is what the handler reports.
 *   <dt>settlement</dt>
 *   <dd>The end of a claim in the store: done, retry, dead, snooze (put off) or release (given back unhandled).
 *   <dt>dead letter</dt>
 *   <dd>A dead event with its history. To <em>redrive</em> a letter makes its event ready again.
 *   <dt>redrive operation</dt>
 *   <dd>A stored redrive of many letters. Nodes carry it on by <em>turns</em>, each of which is one transaction.
 *   <dt>retention</dt>
 *   <dd>The age at which letters are exported and deleted. A <em>sweep</em> moves some letters to one file.
 *   <dt>chore</dt>
 *   <dd>A periodic task of the coordinator besides moving events.
 *   <dt>note</dt>
 *   <dd>A small text in the store by which nodes share pauses, budgets, policies and members.
 * </dl>
 */
@NullMarked
package io.redrive.pipeline;

import org.jspecify.annotations.NullMarked;
