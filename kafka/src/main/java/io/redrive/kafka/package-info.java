/**
 * Topics of a Kafka cluster as the source of a pipeline. Kafka carries the records; only events that wait long or died are rows
 * of the store.
 *
 * <dl>
 * <dt>record</dt><dd>an entry of a partition of a topic; the pipeline handles it as an event</dd>
 * <dt>flow</dt><dd>the store of a pipeline whose events come from topics; {@link io.redrive.kafka.KafkaFlow}</dd>
 * <dt>intake</dt><dd>the thread that owns the consumer: polls, pauses, commits and takes part in the group</dd>
 * <dt>book</dt><dd>the records of one partition from the watermark on, and where each of them is</dd>
 * <dt>open</dt><dd>said of a delivered record that is not finished</dd>
 * <dt>finished</dt><dd>said of a record that is done or that the store has adopted</dd>
 * <dt>held</dt><dd>said of a record that waits in memory for its next attempt</dd>
 * <dt>watermark</dt><dd>the first offset that is not finished; committed as the offset of the group</dd>
 * <dt>progress</dt><dd>the watermark, the finished offsets above it, the failed attempts of open records, and the announced records</dd>
 * <dt>bookmark</dt><dd>the row of the store that belongs to one group and partition; see {@link io.redrive.events.Adoptions}</dd>
 * <dt>takeover</dt><dd>the first step of an owner: raises the epoch of the bookmark and reads what the store has adopted</dd>
 * <dt>careful</dt><dd>said of an owner that took its partition over from a process that ended without a release</dd>
 * <dt>announced</dt><dd>said of a record that a careful owner may have in a handler, as the committed progress says</dd>
 * <dt>suspect</dt><dd>a record that may have ended two processes; the store keeps it, and it is handled alone</dd>
 * <dt>lent</dt><dd>said of a record that the pipeline has claimed and not settled</dd>
 * <dt>park</dt><dd>to store a record that has not failed, because a stored event of its key must be handled first</dd>
 * <dt>brake</dt><dd>limits the rows that a flow adds to the store; above it, failed records are held</dd>
 * <dt>bus</dt><dd>sends events to topics; {@link io.redrive.kafka.KafkaBus}</dd>
 * <dt>relay</dt><dd>a handler that moves events from a store to a topic; {@link io.redrive.kafka.Relay}</dd>
 * <dt>letter topic</dt><dd>a topic with dead letters; {@link io.redrive.kafka.LetterTopic} writes and {@link
 *     io.redrive.kafka.LetterReader} reads one</dd>
 * </dl>
 */
@NullMarked
package io.redrive.kafka;

import org.jspecify.annotations.NullMarked;
