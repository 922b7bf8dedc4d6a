/**
 * The commands {@code redrive proposals …}: decide on commands that assistants ask for.
 *
 * <dl>
 *   <dt>proposal</dt>
 *   <dd>a repair, a redrive or a resolution that an assistant asks for, with a preview of its effect; a person approves or rejects it
 * </dl>
 */
@NullMarked
package io.redrive.cli.proposals;

import org.jspecify.annotations.NullMarked;
