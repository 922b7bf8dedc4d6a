package io.redrive.console;

import io.redrive.items.store.Balance;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStatus;
import io.redrive.operations.RunOperations;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.springframework.web.servlet.function.ServerResponse;

/** Lists item runs. */
final class RunsPage {

    private static final int LISTED = 100;
    private static final int FULL = 100;
    private static final Set<RunStatus> RESUMABLE =
            Set.of(RunStatus.INTERRUPTED, RunStatus.STOPPED, RunStatus.CANCELLED, RunStatus.BUDGET_EXCEEDED);

    /**
     * The facts of the page.
     *
     * @param runs the runs, the newest first
     * @param pipeline only runs of this pipeline are listed; empty for all
     */
    record View(List<RunRecord> runs, String pipeline) {

        boolean isRunning() {
            return runs.stream().anyMatch(run -> run.status() == RunStatus.RUNNING);
        }

        SortedSet<String> pipelines() {
            return runs.stream().map(RunRecord::pipeline).collect(Collectors.toCollection(TreeSet::new));
        }

        boolean isCut() {
            return runs.size() >= LISTED;
        }

        /** Returns the first line of the page. */
        String inWords() {
            String of = pipeline.isEmpty() ? "" : " of " + Format.brief(pipeline, 100);
            if (runs.isEmpty()) {
                return pipeline.isEmpty() ? "No run yet." : "No run" + of + ".";
            }
            long running = count(RunStatus.RUNNING);
            long stopped = runs.stream()
                    .filter(run -> RESUMABLE.contains(run.status()))
                    .count();
            return (running == 0
                            ? "No run" + of + " is in progress"
                            : Format.counted(running, "run")
                                    + of
                                    + (running == 1 ? " is in progress" : " are in progress"))
                    + (stopped == 0
                            ? "."
                            : "; " + Format.number(stopped) + " stopped before the end and can be resumed.");
        }

        private long count(RunStatus status) {
            return runs.stream().filter(run -> run.status() == status).count();
        }
    }

    private final Renderer renderer;

    RunsPage(Renderer renderer) {
        this.renderer = renderer;
    }

    ServerResponse list(Visit visit) {
        String pipeline = visit.param("pipeline");
        List<RunRecord> runs = of(visit).list(pipeline.isEmpty() ? Optional.empty() : Optional.of(pipeline), LISTED);
        return renderer.html(visit, "runs", new View(runs, pipeline));
    }

    static RunOperations of(Visit visit) {
        return visit.runs()
                .orElseThrow(() -> Refusal.missing(
                        "This application has no store of item runs.",
                        "Runs are shown where the application has a bean of the type RunStore."));
    }

    static RunRecord find(Visit visit) {
        String id = visit.path("id");
        return of(visit)
                .find(id)
                .orElseThrow(() -> Refusal.missing(
                                "No run has the id " + Format.brief(id, 100) + ".",
                                "The run may have been deleted; the record of actions tells.")
                        .leadingTo("/record", "Show the record"));
    }

    /** Returns true when a process can go on with the run. */
    static boolean isResumable(RunRecord run) {
        return RESUMABLE.contains(run.status())
                || (run.status().isFinal() && run.balance().notStarted() > 0);
    }

    /** Returns how far the run is, in one sentence. */
    static String inWords(RunRecord run) {
        Balance balance = run.balance();
        long ended = balance.in() - balance.notStarted();
        return Format.number(ended) + " of " + Format.counted(balance.in(), "sample") + " ended"
                + (balance.dead() == 0 ? "" : ", " + Format.number(balance.dead()) + " of them dead");
    }

    static int percent(RunRecord run, long samples) {
        long all = run.balance().in();
        return all == 0 ? 0 : (int) (FULL * samples / all);
    }

    /** Returns the class of a status in the stylesheet. */
    static String style(RunStatus status) {
        return switch (status) {
            case RUNNING -> "badge act";
            case COMPLETED -> "badge good";
            case FAILED, BUDGET_EXCEEDED -> "badge bad";
            case PARTIAL_SUCCESS, INTERRUPTED -> "badge warn";
            case STOPPED, CANCELLED -> "badge";
        };
    }

    static String words(RunStatus status) {
        return status.code().replace('_', ' ');
    }
}
