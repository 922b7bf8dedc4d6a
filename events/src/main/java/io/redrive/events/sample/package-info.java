/**
 * A bounded sample of the events that handlers have handled, by event name, to be compared with dead letters: the port {@link
 * io.redrive.events.sample.HandledSamples} and its nouns.
 *
 * <dl>
 * <dt>handled event</dt><dd>an event whose handler ended well, with the node, the version of the service and the time; {@link
 * io.redrive.events.sample.HandledEvent}</dd>
 * <dt>handled sample</dt><dd>the handled events of a name that a store keeps; short: sample</dd>
 * <dt>cut</dt><dd>said of a payload of which the sample has only the beginning</dd>
 * <dt>recorder</dt><dd>chooses few handled events of each minute and name, and writes them once a minute</dd>
 * </dl>
 */
@NullMarked
package io.redrive.events.sample;

import org.jspecify.annotations.NullMarked;
