package io.redrive.cli;

import io.redrive.cli.command.JsonObject;
import io.redrive.cli.terminal.Printable;
import io.redrive.pipeline.NamePause;
import java.time.Duration;
import java.time.Instant;

/** A pause in words and as JSON. */
final class PauseText {

    private PauseText() {}

    /** Returns who paused the names, since when, until when and why, in one line. */
    static String line(NamePause pause, Instant now) {
        if (pause instanceof NamePause.ByHand byHand) {
            return "by " + Printable.line(byHand.operator()) + " for "
                    + Printable.roughly(Duration.between(byHand.since(), now)) + ", "
                    + byHand.until()
                            .map(end -> "ends in " + Printable.roughly(Duration.between(now, end)))
                            .orElse("until resumed")
                    + ": " + Printable.line(byHand.reason());
        }
        Instant probe = ((NamePause.ByPipeline) pause).probe();
        return "by the pipeline for " + Printable.roughly(Duration.between(pause.since(), now))
                + ", nearly all its events became dead letters; "
                + (probe.isAfter(now)
                        ? "one event probes in " + Printable.roughly(Duration.between(now, probe))
                        : "the next event probes");
    }

    static JsonObject json(NamePause pause) {
        JsonObject object = new JsonObject().put("pattern", pause.pattern().text());
        if (pause instanceof NamePause.ByHand byHand) {
            return object.put("by", "hand")
                    .put("operator", byHand.operator())
                    .put("reason", byHand.reason())
                    .put("since", byHand.since().toString())
                    .put("until", byHand.until().map(Instant::toString).orElse(null));
        }
        return object.put("by", "pipeline")
                .put("since", pause.since().toString())
                .put("until", ((NamePause.ByPipeline) pause).probe().toString());
    }
}
