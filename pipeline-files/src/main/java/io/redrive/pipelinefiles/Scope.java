package io.redrive.pipelinefiles;

import io.redrive.items.SampleContext;

/**
 * The values that the placeholders of a template can name.
 *
 * @param sample the JSON that pointers lead into: the sample, or the array of the items of a batch
 * @param context the context of the sample, or of the first sample of a batch
 */
record Scope(JsonValue sample, SampleContext context) {}
