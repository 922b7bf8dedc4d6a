package io.redrive.console;

import io.redrive.items.report.RunReport;
import io.redrive.items.store.DeadFilter;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.RunStatus;
import io.redrive.items.store.WorkerRecord;
import io.redrive.operations.Verb;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.ServerResponse;

/** Shows one item run with its balance and report, and obeys commands about it: reprocess, cancel, delete. */
final class RunPage {

    /** A preview counts dead samples up to this number. */
    private static final int COUNTED = 1_000;

    private static final Map<String, Verb> VERBS =
            Map.of("reprocess", Verb.REPROCESS, "cancel", Verb.CANCEL_RUN, "delete", Verb.DELETE_RUN);

    /**
     * The facts of the page.
     *
     * @param run the run
     * @param workers the processes that work on the run
     * @param resume the command that goes on with the run; empty when there is nothing to go on with
     */
    record View(RunRecord run, List<WorkerRecord> workers, String resume) {

        boolean isRunning() {
            return run.status() == RunStatus.RUNNING;
        }

        String inWords() {
            return run.id() + ": " + RunsPage.inWords(run) + ".";
        }
    }

    /**
     * What a command would do.
     *
     * @param run the run
     * @param command reprocess, cancel or delete
     * @param verb the verb of the command
     * @param filter the dead samples to reprocess, as parameters of an address
     * @param samples the number of dead samples to reprocess, at most the counted ones
     * @param resume the command that goes on with the run
     * @param complaint why the last try was refused; empty for none
     */
    record Confirmation(
            RunRecord run, String command, Verb verb, Query filter, int samples, String resume, String complaint) {

        String counted() {
            return (samples >= COUNTED ? "at least " : "") + Format.counted(samples, "dead sample");
        }

        /** Returns the question of the page. */
        String inWords() {
            return switch (command) {
                case "reprocess" ->
                    samples == 0 ? "No dead sample to reprocess." : "Reprocess " + counted() + " of " + run.id() + "?";
                case "cancel" -> "Cancel the run " + run.id() + "?";
                default -> "Delete the run " + run.id() + " for good?";
            };
        }

        /** Returns why the command has no effect now; empty when it has one. */
        String whyNot() {
            if (command.equals("cancel") && run.status() != RunStatus.RUNNING && !RunsPage.isResumable(run)) {
                return "the run has ended";
            }
            if (command.equals("delete") && run.status() == RunStatus.RUNNING) {
                return "a process works on the run; cancel the run first";
            }
            return command.equals("reprocess") && samples == 0 ? "no dead sample matches" : "";
        }
    }

    private final Renderer renderer;

    RunPage(Renderer renderer) {
        this.renderer = renderer;
    }

    ServerResponse show(Visit visit) {
        RunRecord run = RunsPage.find(visit);
        View view = new View(run, RunsPage.of(visit).workers(run.id()), resume(visit, run));
        return renderer.html(visit, "run", view);
    }

    private static String resume(Visit visit, RunRecord run) {
        return RunsPage.isResumable(run) ? command(visit, run) : "";
    }

    private static String command(Visit visit, RunRecord run) {
        return "redrive runs resume " + run.id() + " --store " + visit.storeAddress();
    }

    /** Shows the report. A page of its own: the report reads the whole audit trail. */
    ServerResponse report(Visit visit) {
        return renderer.html(visit, "runreport", read(visit));
    }

    private static RunReport read(Visit visit) {
        RunRecord run = RunsPage.find(visit);
        return RunsPage.of(visit)
                .report(run.id())
                .orElseThrow(() -> Refusal.missing("The run " + run.id() + " was deleted.", "Go back to the runs."));
    }

    /** Sends the report as a file. */
    ServerResponse download(Visit visit) {
        RunReport report = read(visit);
        boolean json = visit.path("format").equals("json");
        if (!json && !visit.path("format").equals("html")) {
            throw Refusal.missing("No report is called report." + Format.brief(visit.path("format"), 20) + ".", "");
        }
        String name = report.run().id() + (json ? ".json" : ".html");
        return Renderer.headed(HttpStatus.OK)
                .contentType(MediaType.APPLICATION_OCTET_STREAM)
                .header("Content-Disposition", "attachment; filename=\"" + name + "\"")
                .body((json ? report.json() : report.html()).getBytes(StandardCharsets.UTF_8));
    }

    /** Asks before a command. */
    ServerResponse ask(Visit visit) {
        return renderer.html(visit, "runconfirm", confirmation(visit, ""));
    }

    private static Confirmation confirmation(Visit visit, String complaint) {
        RunRecord run = RunsPage.find(visit);
        String command = visit.path("command");
        Verb verb = VERBS.get(command);
        if (verb == null) {
            throw Refusal.missing("No command is called " + Format.brief(command, 40) + ".", "Go back to the run.");
        }
        Query filter = Query.of(visit.params(), List.of("stage", "error"));
        int samples = command.equals("reprocess")
                ? RunsPage.of(visit)
                        .dead(DeadSamplesPage.filter(visit, run), COUNTED)
                        .size()
                : 0;
        return new Confirmation(run, command, verb, filter, samples, command(visit, run), complaint);
    }

    ServerResponse command(Visit visit) {
        Confirmation confirmation = confirmation(visit, "");
        RunRecord run = confirmation.run();
        String path = "/runs/" + run.id();
        return switch (confirmation.command()) {
            case "reprocess" -> {
                DeadFilter filter = DeadSamplesPage.filter(visit, run);
                long samples = RunsPage.of(visit).reprocess(filter);
                yield Renderer.redirect(
                        visit,
                        path,
                        Format.counted(samples, "sample") + " pending again. "
                                + (run.status() == RunStatus.RUNNING
                                        ? "The processes of the run go on with them."
                                        : "Nothing happens before a process resumes the run."));
            }
            case "cancel" -> {
                boolean cancelled = RunsPage.of(visit).cancel(run.id());
                yield Renderer.redirect(
                        visit, path, cancelled ? "The run was cancelled." : "The run had ended: nothing was changed.");
            }
            default -> delete(visit, run);
        };
    }

    /** Deletes only when the operator has typed the id of the run. */
    private ServerResponse delete(Visit visit, RunRecord run) {
        if (visit.may(Verb.DELETE_RUN) && !visit.param("typed").equals(run.id())) {
            String complaint = "type " + run.id() + " to delete the run for good; got '"
                    + Format.brief(visit.param("typed"), 100) + "'. Nothing was deleted.";
            return renderer.html(HttpStatus.UNPROCESSABLE_CONTENT, visit, "runconfirm", confirmation(visit, complaint));
        }
        try {
            RunsPage.of(visit).delete(run.id());
        } catch (IllegalStateException e) {
            throw Refusal.wrong(String.valueOf(e.getMessage()), "Nothing was deleted. Cancel the run first.");
        }
        return Renderer.redirect(visit, "/runs", "The run " + run.id() + " was deleted for good.");
    }
}
