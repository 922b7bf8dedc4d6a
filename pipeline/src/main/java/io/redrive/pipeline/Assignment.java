package io.redrive.pipeline;

import io.redrive.events.Claim;
import java.util.List;

/**
 * What a worker does at a time: the claims for one call of a handler.
 *
 * @param claims one claim, or all of a batch
 * @param batch the batch that the claims left the batcher with
 */
record Assignment(List<Claim> claims, BatchProgress batch) {}
