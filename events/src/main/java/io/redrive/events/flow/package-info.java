/**
 * What a node says about the records that flow from topics of a log, such as Kafka, to its handlers. A node writes its report into
 * the shared notes, so that any process on the store can show the flows of all nodes.
 *
 * <dl>
 * <dt>flow</dt><dd>the records of topics on their way to the handlers of a node</dd>
 * <dt>group</dt><dd>the nodes that share the partitions of the topics; a partition belongs to one node of the group</dd>
 * <dt>report</dt><dd>the state of a flow at one moment; {@link io.redrive.events.flow.FlowReport}</dd>
 * <dt>lag</dt><dd>records of a partition that are neither done nor rows of the store</dd>
 * <dt>open</dt><dd>said of a record that the node has fetched and that counts as lag</dd>
 * <dt>held</dt><dd>said of an open record that waits in memory for its next attempt</dd>
 * <dt>blocked key</dt><dd>a key with an unfinished event in the store; later records of the key wait</dd>
 * <dt>paused</dt><dd>said of a partition from which the node fetches no further records for now</dd>
 * <dt>brake</dt><dd>limits the rows that a flow adds to the store</dd>
 * </dl>
 */
@NullMarked
package io.redrive.events.flow;

import org.jspecify.annotations.NullMarked;
