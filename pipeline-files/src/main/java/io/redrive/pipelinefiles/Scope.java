package io.redrive.pipelinefiles;

import io.redrive.items.SampleContext;

/**
 * What a placeholder may name.
 *
 * @param sample what pointers lead into; of a batch, the array of its items
 * @param context which sample it is; of a batch, its first
 */
record Scope(JsonValue sample, SampleContext context) {}
