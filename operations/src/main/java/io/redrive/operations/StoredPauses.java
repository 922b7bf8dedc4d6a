package io.redrive.operations;

import io.redrive.events.NamePattern;
import io.redrive.events.OperatorCommand;
import io.redrive.pipeline.HandPauses;
import io.redrive.pipeline.NamePause;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** {@link PauseOperations} on a store. */
final class StoredPauses implements PauseOperations {

    private final Desk desk;

    StoredPauses(Desk desk) {
        this.desk = desk;
    }

    @Override
    public List<NamePause> list() {
        return NamePause.of(desk.read().notes(), desk.now());
    }

    @Override
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

    @Override
    public Optional<NamePause.ByHand> resume(NamePattern pattern) {
        OperatorCommand command = desk.command(Verb.RESUME, pattern.text());
        Optional<NamePause.ByHand> ended = new HandPauses(desk.store().notes()).resume(pattern, desk.now());
        ended.ifPresent(pause -> desk.record(
                command,
                Verb.RESUME,
                "paused since " + Desk.inSeconds(pause.since()) + " by " + pause.operator() + ": " + pause.reason()));
        return ended;
    }

    private static String ended(NamePause.ByHand pause) {
        return pause.until().map(end -> "until " + Desk.inSeconds(end)).orElse("without an end");
    }
}
