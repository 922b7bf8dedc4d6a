package io.redrive.pipelinefiles;

import io.redrive.items.SampleContext;

/**
 * The values that placeholders may name.
 *
 * @param sample the value that pointers lead into: the sample, or the array of items of a batch
 * @param context the identity of the sample, or of the first sample of a batch
 */
record Scope(JsonValue sample, SampleContext context) {}
