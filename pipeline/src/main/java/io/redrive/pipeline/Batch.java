package io.redrive.pipeline;

import io.redrive.events.Claim;
import io.redrive.events.Lane;
import java.util.List;

/** The claims that leave the batcher together: all of the same lane, handler and source. */
record Batch(Key key, List<Claim> claims) {

    /** Lane, handler and source: the same for all claims of a batch. */
    record Key(Lane lane, Handlers.Registration handler, String source) {}

    Lane lane() {
        return key.lane();
    }
}
