/**
 * The command {@code redrive activity}: what happened in a store, by name and time.
 *
 * <dl>
 *   <dt>slice</dt>
 *   <dd>The stretch of time of one bar.
 *   <dt>sparkline</dt>
 *   <dd>A line of bars, one for each slice.
 * </dl>
 */
@NullMarked
package io.redrive.cli.activity;

import org.jspecify.annotations.NullMarked;
