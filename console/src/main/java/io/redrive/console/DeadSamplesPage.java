package io.redrive.console;

import io.redrive.core.Reason;
import io.redrive.items.store.DeadFilter;
import io.redrive.items.store.DeadSample;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.SampleRecord;
import io.redrive.items.store.SampleState;
import io.redrive.items.store.StageAttempt;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.springframework.web.servlet.function.ServerResponse;

/** Lists the dead samples of a run, and shows one sample with its attempts. */
final class DeadSamplesPage {

    private static final int PAGE = 50;
    private static final int SAME_MOMENT = 1_000;
    /** JSON samples have no content type: a sample that is JSON is shown as JSON. */
    private static final String JSON = "application/json";

    /**
     * The facts of the list.
     *
     * @param run the run
     * @param filter the filter, as parameters of an address
     * @param samples the samples, the latest death first
     * @param next the link to the next page; empty on the last
     * @param first true for the first page
     */
    record Listing(RunRecord run, Query filter, List<DeadSample> samples, String next, boolean first) {

        /** Returns the stages at which a sample can die. */
        List<String> stages() {
            List<String> stages = new ArrayList<>(run.definition().stages());
            stages.add(0, StageAttempt.SOURCE);
            return stages;
        }

        SortedSet<String> errors() {
            return samples.stream()
                    .map(sample -> sample.death().errorType())
                    .collect(Collectors.toCollection(TreeSet::new));
        }

        /** Returns the first line of the page. */
        String inWords() {
            if (!filter.parts().isEmpty()) {
                return samples.isEmpty()
                        ? "No dead sample of " + run.id() + " matches this filter."
                        : "Dead samples of " + run.id() + " that match the filter.";
            }
            return samples.isEmpty() && first
                    ? "No sample of " + run.id() + " is dead."
                    : Format.counted(run.balance().dead(), "sample") + " of " + run.id()
                            + (run.balance().dead() == 1 ? " is dead." : " are dead.");
        }
    }

    /**
     * The facts of one sample.
     *
     * @param run the run
     * @param ordinal the place of the sample in the source, from 0
     * @param sample the dead sample; empty when it is not dead, or not any more
     * @param payload the payload for people; empty when the store has none
     * @param attempts the audit trail, in order
     */
    record Sample(
            RunRecord run,
            long ordinal,
            Optional<SampleRecord> sample,
            Optional<PayloadView> payload,
            List<StageAttempt> attempts) {

        String id() {
            return sample.map(SampleRecord::id).orElse("#" + ordinal);
        }

        /** Returns the first line of the page. */
        String inWords() {
            return "Sample " + Format.brief(id(), 80) + " "
                    + sample.map(each -> "is dead at stage " + run.definition().stageAt(each.stage()))
                            .orElse("has " + Format.counted(attempts.size(), "attempt"))
                    + ".";
        }
    }

    private final Renderer renderer;

    DeadSamplesPage(Renderer renderer) {
        this.renderer = renderer;
    }

    static DeadFilter filter(Visit visit, RunRecord run) {
        DeadFilter filter = DeadFilter.ofRun(run.id());
        filter = visit.param("stage").isEmpty() ? filter : filter.atStage(visit.param("stage"));
        return visit.param("error").isEmpty() ? filter : filter.withErrorType(visit.param("error"));
    }

    ServerResponse list(Visit visit) {
        RunRecord run = RunsPage.find(visit);
        String after = visit.param("after");
        DeadFilter filter = filter(visit, run);
        DeadFilter page = after.isEmpty() ? filter : filter.after(cursor(run, after));
        List<DeadSample> found = RunsPage.of(visit).dead(page, PAGE + 1);
        List<DeadSample> samples = found.stream().limit(PAGE).toList();
        Query query = Query.of(visit.params(), List.of("stage", "error"));
        String next = found.size() <= PAGE
                ? ""
                : visit.url("/runs/" + run.id() + "/dead", query.plus("after", cursor(samples.get(PAGE - 1))));
        return renderer.html(visit, "deadsamples", new Listing(run, query, samples, next, after.isEmpty()));
    }

    private static String cursor(DeadSample last) {
        return last.death().at() + "~" + last.sample().ordinal();
    }

    /** Returns a sample that stands for the last one of the page before: only its time of death and its place count. */
    private static DeadSample cursor(RunRecord run, String text) {
        int at = text.indexOf('~');
        try {
            Instant died = Instant.parse(text.substring(0, Math.max(0, at)));
            SampleRecord last = new SampleRecord(
                    Scope.id(text.substring(at + 1)),
                    "last",
                    SampleState.DEAD,
                    0,
                    new SampleRecord.Progress(0, 0, null, Duration.ZERO, null),
                    SampleRecord.Payload.NONE,
                    false,
                    new SampleRecord.Death(Reason.NOT_RETRYABLE, "", "", died));
            return new DeadSample(run.id(), run.pipeline(), StageAttempt.SOURCE, last);
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(
                    "after must be the value of a link to the next page, got '" + Format.brief(text, 60) + "'");
        }
    }

    /** Returns the address of a sample's page, below the mount path. The store finds a dead sample by its time of death. */
    static String path(DeadSample dead) {
        return "/runs/" + dead.run() + "/samples/" + dead.sample().ordinal()
                + Query.NONE.plus("died", dead.death().at().toString());
    }

    private static Optional<SampleRecord> sample(Visit visit, RunRecord run, long ordinal) {
        if (visit.param("died").isEmpty()) {
            return Optional.empty();
        }
        Instant died = Scope.time("died", visit.param("died"), visit.now());
        DeadFilter moment = DeadFilter.ofRun(run.id()).since(died).until(died.plusNanos(1_000));
        return RunsPage.of(visit).dead(moment, SAME_MOMENT).stream()
                .map(DeadSample::sample)
                .filter(each -> each.ordinal() == ordinal)
                .findFirst();
    }

    ServerResponse sample(Visit visit) {
        RunRecord run = RunsPage.find(visit);
        long ordinal = Scope.id(visit.path("ordinal"));
        Optional<SampleRecord> sample = sample(visit, run, ordinal);
        List<StageAttempt> attempts = RunsPage.of(visit).attempts(run.id(), ordinal);
        if (sample.isEmpty() && attempts.isEmpty()) {
            throw Refusal.missing(
                    "The run " + run.id() + " has no sample " + ordinal + ".", "Go back to the samples of the run.");
        }
        Optional<PayloadView> payload =
                sample.filter(SampleRecord::hasBytes).map(each -> PayloadView.of(each.bytes(), JSON));
        return renderer.html(visit, "sample", new Sample(run, ordinal, sample, payload, attempts));
    }
}
