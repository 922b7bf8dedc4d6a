/**
 * What happens in a store, by minute and event name, for all nodes together: the port {@link
 * io.redrive.events.activity.ActivityLog} and its nouns.
 *
 * <dl>
 * <dt>activity</dt><dd>counts and durations of events: published, duplicates, done, retried, dead, batches, handler
 * time, latency</dd>
 * <dt>report</dt><dd>the activity of one process in one minute, and in the hour so far; written once a minute</dd>
 * <dt>period</dt><dd>a minute or an hour: the stretch of time by which a store keeps activity</dd>
 * <dt>slice</dt><dd>the stretch of time by which an answer shows activity: one or more periods</dd>
 * <dt>handler time</dt><dd>the duration of an attempt</dd>
 * <dt>latency</dt><dd>the time from the due time of an event until it is done</dd>
 * <dt>histogram</dt><dd>how often durations of each length occurred; histograms add up</dd>
 * <dt>other names</dt><dd>the names beyond the first thousand, added up as {@code (other)}</dd>
 * <dt>recorder</dt><dd>counts in memory and writes reports</dd>
 * </dl>
 */
@NullMarked
package io.redrive.events.activity;

import org.jspecify.annotations.NullMarked;
