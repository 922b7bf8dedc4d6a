/**
 * The commands {@code redrive operations …}: look at redrive operations, pause, resume, cancel and dismiss them.
 *
 * <dl>
 *   <dt>redrive operation (operation)</dt>
 *   <dd>a redrive of dead letters that lies in the store, with a frozen selection and a result for each letter; nodes carry it on
 *   <dt>follow</dt>
 *   <dd>to show the progress of an operation, and to send its letters beside the nodes
 *   <dt>canary</dt>
 *   <dd>an operation that redrives 1, then 10, then 100 letters, then the rest, and halts when a cause returns
 *   <dt>under way</dt>
 *   <dd>said of a redriven event that has not ended
 *   <dt>node</dt>
 *   <dd>a process with a pipeline on the same store
 * </dl>
 */
@NullMarked
package io.redrive.cli.operations;

import org.jspecify.annotations.NullMarked;
