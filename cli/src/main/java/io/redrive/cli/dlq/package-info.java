/**
 * The commands {@code redrive dlq …}: look at dead letters, repair them, bring them back.
 *
 * <dl>
 *   <dt>dead letter (letter)</dt>
 *   <dd>an event that was given up, with its attempts and the reason
 *   <dt>cause</dt>
 *   <dd>what letters with the same error have in common, named by a <em>fingerprint</em>
 *   <dt>filter</dt>
 *   <dd>the conditions that select letters; a command that changes letters needs a filter, ids or {@code --all}
 *   <dt>redrive</dt>
 *   <dd>to turn a letter back into a ready event with no attempt spent; a <em>canary</em> redrives 1, then 10, then 100 letters,
 *       then the rest, and halts when a cause returns
 *   <dt>operator</dt>
 *   <dd>who changes letters; each command that changes letters is one row in the record of actions
 *   <dt>node</dt>
 *   <dd>a process with a pipeline on the same store
 * </dl>
 */
@NullMarked
package io.redrive.cli.dlq;

import org.jspecify.annotations.NullMarked;
