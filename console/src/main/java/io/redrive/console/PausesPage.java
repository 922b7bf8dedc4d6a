package io.redrive.console;

import io.redrive.events.NamePattern;
import io.redrive.pipeline.NamePause;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.web.servlet.function.ServerResponse;

/** Lists paused names, pauses further names and resumes them. */
final class PausesPage {

    /**
     * The facts of the page.
     *
     * @param pauses pauses made by hand first, then pauses of the pipeline
     * @param paused the number of events that wait because of a pause
     */
    record View(List<NamePause> pauses, long paused) {

        /** Returns the first line of the page. */
        String inWords() {
            return pauses.isEmpty()
                    ? "No name is paused."
                    : Format.counted(pauses.size(), "pause") + ", " + Format.counted(paused, "event")
                            + " waiting behind.";
        }
    }

    private final Renderer renderer;

    PausesPage(Renderer renderer) {
        this.renderer = renderer;
    }

    ServerResponse show(Visit visit) {
        View view = new View(
                visit.operations().pauses().list(),
                visit.operations().events().stats().waiting().paused());
        return renderer.html(visit, "pauses", view);
    }

    ServerResponse pause(Visit visit) {
        NamePattern names = new NamePattern(visit.param("names"));
        visit.operations().pauses().pause(names, visit.param("reason"), until(visit));
        return Renderer.redirect(visit, "/pauses", names + " is paused on all nodes within a second.");
    }

    private static Optional<Instant> until(Visit visit) {
        String length = visit.param("for");
        if (length.isEmpty()) {
            return Optional.empty();
        }
        Instant before = Scope.time("for", length, visit.now());
        return Optional.of(visit.now().plus(java.time.Duration.between(before, visit.now())));
    }

    ServerResponse resume(Visit visit) {
        NamePattern names = new NamePattern(visit.param("names"));
        boolean ended = visit.operations().pauses().resume(names).isPresent();
        return Renderer.redirect(visit, "/pauses", ended ? names + " goes on." : names + " was not paused by hand.");
    }
}
