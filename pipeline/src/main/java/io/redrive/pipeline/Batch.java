package io.redrive.pipeline;

import io.redrive.events.Claim;
import io.redrive.events.Lane;
import java.util.List;

/** Claims of one lane, one handler and one source that leave the batcher together. */
record Batch(Key key, List<Claim> claims) {

    /** What the claims of a batch have in common. */
    record Key(Lane lane, Handlers.Registration handler, String source) {}

    Lane lane() {
        return key.lane();
    }
}
