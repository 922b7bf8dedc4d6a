package io.redrive.operations;

import io.redrive.events.NamePattern;
import io.redrive.pipeline.HandPauses;
import io.redrive.pipeline.NamePause;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What an operator may know and do about paused event names. Thread-safe. */
public interface PauseOperations {

    /** Returns the pauses: first the pauses made by hand, then the pauses that the pipeline made, each by name. */
    List<NamePause> list();

    /**
     * Pauses names on all nodes, within about a second. Replaces a pause of the same pattern.
     *
     * @param reason the reason, for other operators; 1 to {@value NamePause.ByHand#MAX_REASON} characters
     * @param until when the pause ends; empty for a pause that lasts until {@link #resume}
     * @return the new pause
     * @throws IllegalArgumentException if the reason is blank or too long, the end has passed, or {@value HandPauses#MAX_PATTERNS}
     *     other patterns are paused
     */
    NamePause.ByHand pause(NamePattern pattern, String reason, Optional<Instant> until);

    /**
     * Ends the pause of this very pattern on all nodes, within about a second. Pauses that the pipeline made end by themselves.
     *
     * @return the ended pause; empty, without a change, when the pattern is not paused by hand
     */
    Optional<NamePause.ByHand> resume(NamePattern pattern);
}
