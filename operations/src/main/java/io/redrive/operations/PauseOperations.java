package io.redrive.operations;

import io.redrive.events.NamePattern;
import io.redrive.events.OperatorCommand;
import io.redrive.pipeline.HandPauses;
import io.redrive.pipeline.NamePause;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What an operator may know and do about paused event names. Thread-safe. */
public final class PauseOperations {

    private final Desk desk;

    PauseOperations(Desk desk) {
        this.desk = desk;
    }

    /** Returns the pauses: first the pauses made by hand, then the pauses that the pipeline made, each by name. */
    public List<NamePause> list() {
        return NamePause.of(desk.read().notes(), desk.now());
    }

    /**
     * Pauses names on all nodes, within about a second. Replaces a pause of the same pattern.
     *
     * @param reason the reason, for other operators; 1 to {@value NamePause.ByHand#MAX_REASON} characters
     * @param until when the pause ends; empty for a pause that lasts until {@link #resume}
     * @return the new pause
     * @throws IllegalArgumentException if the reason is blank or too long, the end has passed, or {@value HandPauses#MAX_PAUSES}
     *     other patterns are paused
     */
    public NamePause.ByHand pause(NamePattern pattern, String reason, Optional<Instant> until) {
        OperatorCommand command = desk.command(Verb.PAUSE, pattern + ": " + reason);
        NamePause.ByHand pause = new NamePause.ByHand(pattern, desk.operator().name(), reason, desk.now(), until);
        Optional<NamePause.ByHand> before = new HandPauses(desk.store().notes()).pause(pause);
        desk.record(
                command,
                Verb.PAUSE,
                ended(pause)
                        + before.map(old -> ", instead of a pause by " + old.operator() + " " + ended(old))
                                .orElse(""));
        return pause;
    }

    /**
     * Ends the pause of this very pattern on all nodes, within about a second. Pauses that the pipeline made end by themselves.
     *
     * @return the ended pause; empty, without a change, when the pattern is not paused by hand
     */
    public Optional<NamePause.ByHand> resume(NamePattern pattern) {
        OperatorCommand command = desk.command(Verb.RESUME, pattern.text());
        Optional<NamePause.ByHand> ended = new HandPauses(desk.store().notes()).resume(pattern, desk.now());
        ended.ifPresent(pause -> desk.record(
                command,
                Verb.RESUME,
                "paused since " + pause.since() + " by " + pause.operator() + ": " + pause.reason()));
        return ended;
    }

    private static String ended(NamePause.ByHand pause) {
        return pause.until().map(end -> "until " + end).orElse("without an end");
    }
}
