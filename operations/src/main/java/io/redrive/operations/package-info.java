/**
 * What an operator may know and do about a store. {@link io.redrive.operations.Operations} is the one entrance: the command line,
 * a server or an application asks the facade and not the ports of the store, so that roles are checked and changes are recorded
 * in one place. The terms, in the order in which a reader meets them:
 *
 * <dl>
 *   <dt>operator</dt>
 *   <dd>The person or program that gives a command, with a name, a role and an origin.
 *   <dt>role</dt>
 *   <dd>What an operator is allowed to do: a <em>viewer</em> reads, an <em>assistant</em> also makes proposals, an <em>operator</em> also changes what can be brought back, an
 *       <em>admin</em> also deletes.
 *   <dt>verb</dt>
 *   <dd>One kind of command, with the least role that it needs.
 *   <dt>record of actions</dt>
 *   <dd>One row for each command that changed the store: who, from where, what, how many, and how it ended.
 *   <dt>dead letter</dt>
 *   <dd>An event that was given up, with its history.
 *   <dt>cause</dt>
 *   <dd>Dead letters with the same fingerprint, with an owner, a note and a state that outlive the letters.
 *   <dt>selection</dt>
 *   <dd>The dead letters that a command is about.
 *   <dt>preview</dt>
 *   <dd>A selection with the number of its letters at one moment. Letters that die later are no part of a preview.
 *   <dt>activity</dt>
 *   <dd>Counts and durations of events by minute and name, of all nodes together.
 *   <dt>pause</dt>
 *   <dd>Keeps events of some names in the store, on all nodes: made by hand, or by the pipeline.
 *   <dt>redrive operation</dt>
 *   <dd>A stored redrive of many letters with a frozen selection; any node carries it on, and a following program may help.
 *   <dt>repair</dt>
 *   <dd>One expression that changes the payloads of a selection. A <em>revert</em> takes the last repair of a letter back.
 *   <dt>version</dt>
 *   <dd>A payload that a letter had before an edit, a repair or a revert.
 *   <dt>proposal</dt>
 *   <dd>A stored wish for a repair, a redrive or a resolution, which the <em>proposer</em> made and a person decides.
 *   <dt>redaction</dt>
 *   <dd>Rules for values that an operator must not see; {@link io.redrive.operations.StoredOperations#showing}.
 *   <dt>node</dt>
 *   <dd>A process with a pipeline on the store.
 *   <dt>flow</dt>
 *   <dd>Records of topics on their way to the handlers of a node; {@link io.redrive.operations.flow}.
 * </dl>
 */
@NullMarked
package io.redrive.operations;

import org.jspecify.annotations.NullMarked;
