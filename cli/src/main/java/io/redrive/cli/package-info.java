/**
 * The {@code redrive} command. {@link io.redrive.cli.Redrive} assembles the command groups of the packages below and holds the
 * commands on events that are not dead: publish, stats, scheduled. No framework is started, so that a small command answers within
 * a quarter of a second.
 *
 * <dl>
 *   <dt>{@code command}</dt>
 *   <dd>the parts that all commands share; its glossary has their words
 *   <dt>{@code activity}, {@code dlq}, {@code runs}, {@code policy}, {@code demo}</dt>
 *   <dd>the command groups
 *   <dt>{@code terminal}</dt>
 *   <dd>text on its way to the terminal
 * </dl>
 */
@NullMarked
package io.redrive.cli;

import org.jspecify.annotations.NullMarked;
