/**
 * The parts that all commands share.
 *
 * <dl>
 *   <dt>command</dt>
 *   <dd>one verb of the command line, such as {@code dlq list}; a <em>command group</em>, such as {@code dlq}, only holds others
 *   <dt>context</dt>
 *   <dd>what commands need from outside: clock, stores, terminal, standard input, environment
 *   <dt>store</dt>
 *   <dd>where events or runs are kept, named by its <em>address</em>: a SQLite file or a JDBC URL of PostgreSQL
 *   <dt>wrong input</dt>
 *   <dd>a mistake in the command line or in a file that the command line names; exit code 2, and nothing was changed
 *   <dt>failure</dt>
 *   <dd>correct input that cannot be done, such as an unknown id or a store that does not open; exit code 1
 *   <dt>note</dt>
 *   <dd>a line beside the answer, on standard error
 * </dl>
 */
@NullMarked
package io.redrive.cli.command;

import org.jspecify.annotations.NullMarked;
