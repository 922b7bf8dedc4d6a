/** The {@code redrive} command. Answers within a moment: no framework is started. */
package io.redrive.cli;
