/**
 * Events, dead letters and runs in a database. {@link io.redrive.jdbc.SqliteStore} and
 * {@link io.redrive.jdbc.SqliteRunStore} keep them in one file, with no server to install;
 * {@link io.redrive.jdbc.PostgresStore} and {@link io.redrive.jdbc.PostgresRunStore} share a PostgreSQL database among
 * nodes. {@link io.redrive.jdbc.JdbcSource} reads samples from a query.
 *
 * <p>Classes named {@code Sqlite…} and {@code Postgres…} belong to one dialect; all further classes serve both.
 *
 * <dl>
 *   <dt>dialect</dt>
 *   <dd>SQLite or PostgreSQL, as far as statements differ.
 *   <dt>session</dt>
 *   <dd>A connection for the length of a transaction, with its prepared statements.
 *   <dt>position</dt>
 *   <dd>The number of an event in its store, ascending with publication; column {@code seq}.
 *   <dt>origin</dt>
 *   <dd>The position of an event's first publication, kept over redrives. The history of attempts is found by origin.
 *   <dt>queue</dt>
 *   <dd>Events of one priority (0 to 3), or suspects of one priority (4 to 7), ordered by due time and position.
 *   <dt>claim, token, lease</dt>
 *   <dd>A request that takes events gets a token, and one lease which lists the positions of the events.
 *   <dt>fence</dt>
 *   <dd>The check that a settlement's claim still holds its event; a claim that does not is stale.
 *   <dt>exchange</dt>
 *   <dd>One transaction that settles claims and takes new ones.
 *   <dt>set aside</dt>
 *   <dd>Moved out of the queue, because a request found the event and does not accept its name. A request that accepts
 *       the name claims the event later.
 *   <dt>group</dt>
 *   <dd>Writes of several callers that share a commit (SQLite).
 *   <dt>line</dt>
 *   <dd>All unfinished events of an ordering key, in order; only the first is active: ready or claimed (PostgreSQL). In
 *       SQLite the events behind the first are blocked.
 *   <dt>call</dt>
 *   <dd>A row by which a transaction asks that an event join its line, or that the next event of a line become active.
 *   <dt>ticket</dt>
 *   <dd>The number of an event in its line.
 *   <dt>tally</dt>
 *   <dd>The counts of an event's attempts; most events never have one (PostgreSQL).
 *   <dt>mark</dt>
 *   <dd>A remembered entry of an index at which the next scan starts: a low-water mark is a hint, a call mark is
 *       proven.
 *   <dt>worker</dt>
 *   <dd>A process with a lease on a run.
 *   <dt>trail</dt>
 *   <dd>The lines of a sample's attempts.
 *   <dt>block</dt>
 *   <dd>Ended samples of a run, written together as JSON.
 * </dl>
 */
@NullMarked
package io.redrive.jdbc;

import org.jspecify.annotations.NullMarked;
