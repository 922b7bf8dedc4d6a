package io.redrive.pipeline;

import io.redrive.events.Claim;
import java.util.List;

/**
 * The claims for one call of a handler.
 *
 * @param claims one claim, or all claims of a batch
 * @param batch the progress of the batch that the claims left the batcher with
 */
record Assignment(List<Claim> claims, BatchProgress batch) {}
