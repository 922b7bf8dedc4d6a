/**
 * Events in motion. {@link io.redrive.pipeline.Pipeline#step()} shows every station in order: claim, process, batch,
 * handle, settle.
 */
package io.redrive.pipeline;
