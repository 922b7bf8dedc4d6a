/**
 * Text on its way to a terminal, a file or another program.
 *
 * <dl>
 *   <dt>terminal</dt>
 *   <dd>where the output goes; <em>interactive</em> when a person reads the output and can answer questions
 *   <dt>printable text</dt>
 *   <dd>text that cannot move the cursor, change colours or hide a line, whatever a payload or an error message holds
 *   <dt>style</dt>
 *   <dd>bold, faint or a colour, written only where colours are enabled
 *   <dt>column</dt>
 *   <dd>a column of a table. An <em>elastic</em> column is cut when the table is wider than the terminal, a
 *       <em>droppable</em> one is left out when cutting is not enough
 * </dl>
 */
@NullMarked
package io.redrive.cli.terminal;

import org.jspecify.annotations.NullMarked;
