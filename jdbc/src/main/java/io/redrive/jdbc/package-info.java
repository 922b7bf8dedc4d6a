/**
 * Durable events and dead letters in a database. {@link io.redrive.jdbc.SqliteStore} keeps them in one file, with no
 * server to install.
 */
package io.redrive.jdbc;
