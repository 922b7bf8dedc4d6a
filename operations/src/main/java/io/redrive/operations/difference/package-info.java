/**
 * The differences between dead letters and handled events of the same name: pure functions on samples of both, without a store.
 *
 * <dl>
 * <dt>document</dt><dd>a letter or a handled event as subjects and values; {@link
 * io.redrive.operations.difference.EventDocument}</dd>
 * <dt>subject</dt><dd>a part of an event that is compared: a field of a JSON payload by JSON pointer, a header, the source, the
 * node…; {@link io.redrive.operations.difference.Subject}</dd>
 * <dt>trait</dt><dd>a statement about a subject that holds for a document or not: present, of a type, equal to a value, above a
 * number; {@link io.redrive.operations.difference.Trait}</dd>
 * <dt>share</dt><dd>the documents with a trait, of the documents that tell; {@link io.redrive.operations.difference.Share}</dd>
 * <dt>difference</dt><dd>a trait whose shares among letters and handled events are far apart, by more than chance explains;
 * {@link io.redrive.operations.difference.Difference}</dd>
 * <dt>unknown</dt><dd>said of a field in a document whose payload is cut or not JSON and which may or may not have the field</dd>
 * </dl>
 */
@NullMarked
package io.redrive.operations.difference;

import org.jspecify.annotations.NullMarked;
