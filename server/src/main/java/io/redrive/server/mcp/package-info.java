/**
 * Assistants: programs with a language model that look at the store and ask for changes, over the Model Context Protocol. The terms:
 *
 * <dl>
 *   <dt>tool</dt>
 *   <dd>A question or a proposal that an assistant may make; {@link io.redrive.server.mcp.AssistantTool}. No tool changes anything but
 *       proposals: the operations of an assistant have the role assistant, whatever the role of the caller.
 *   <dt>argument</dt>
 *   <dd>A named value of a call of a tool.
 *   <dt>mark</dt>
 *   <dd>The lines around the data of an answer. A mark has random digits, so that a text of an event cannot forge it.
 * </dl>
 */
@NullMarked
package io.redrive.server.mcp;

import org.jspecify.annotations.NullMarked;
