package io.redrive.items.report;

import io.redrive.items.store.Balance;
import io.redrive.items.store.DeadFilter;
import io.redrive.items.store.DeadSample;
import io.redrive.items.store.ErrorCount;
import io.redrive.items.store.Price;
import io.redrive.items.store.RunArchive;
import io.redrive.items.store.RunDefinition;
import io.redrive.items.store.RunRecord;
import io.redrive.items.store.StageAttempt;
import io.redrive.items.store.StageCounts;
import io.redrive.items.store.StageSpending;
import io.redrive.items.store.Throughput;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The outcome of a run: status, balance, retries per sample, the most common failures, the reliability of each stage, costs,
 * pace and the latest dead samples. Rendered as text for a terminal, as JSON for programs, or as one self-contained HTML page
 * with plots. Immutable.
 *
 * <pre>{@code
 * RunReport report = RunReport.of(store.archive(), "summaries-march", Time.system().now());
 * Files.writeString(Path.of("report.html"), report.html());
 * }</pre>
 *
 * @param run the run at the time of the report
 * @param retries the number of ended samples by the number of retries
 * @param errors the most common failures, the most common first
 * @param stages the counts of each stage, in the order of the stages; empty for a run without an audit trail
 * @param spending the costs of stages with a cost limit, in the order of the stages
 * @param pace the number of samples that ended over time
 * @param dead the latest dead samples, the latest first
 */
public record RunReport(
        RunRecord run,
        SortedMap<Integer, Long> retries,
        List<ErrorCount> errors,
        List<StageCounts> stages,
        List<StageSpending> spending,
        Pace pace,
        List<DeadSample> dead) {

    /** The maximum number of different failures in a report. */
    public static final int MOST_ERRORS = 10;

    /** The maximum number of dead samples in a report. */
    public static final int MOST_DEAD = 20;

    /**
     * The number of samples that ended over time.
     *
     * @param interval the length of an interval
     * @param intervals the intervals in which samples ended, in order
     */
    public record Pace(Duration interval, List<Throughput> intervals) {
        /** The maximum number of intervals in a report. */
        private static final int MOST = 60;

        private static final List<Duration> INTERVALS = List.of(
                Duration.ofSeconds(1),
                Duration.ofSeconds(5),
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                Duration.ofMinutes(1),
                Duration.ofMinutes(5),
                Duration.ofMinutes(10),
                Duration.ofMinutes(30),
                Duration.ofHours(1),
                Duration.ofHours(3),
                Duration.ofHours(6),
                Duration.ofDays(1),
                Duration.ofDays(7));

        /** Copies the list. */
        public Pace {
            intervals = List.copyOf(intervals);
        }

        /** Returns the shortest interval of {@link #INTERVALS} of which at most 60 cover {@code span}, or whole days. */
        static Duration intervalFor(Duration span) {
            return INTERVALS.stream()
                    .filter(interval -> interval.multipliedBy(MOST).compareTo(span) >= 0)
                    .findFirst()
                    .orElse(Duration.ofDays(span.toDays() / MOST + 1));
        }
    }

    /** Copies the collections. */
    public RunReport {
        retries = Collections.unmodifiableSortedMap(new TreeMap<>(retries));
        errors = List.copyOf(errors);
        stages = List.copyOf(stages);
        spending = List.copyOf(spending);
        dead = List.copyOf(dead);
    }

    /**
     * Returns the report on a run. Reads the whole audit trail: millions of attempts take seconds.
     *
     * @throws IllegalArgumentException when the archive has no run with this id
     */
    public static RunReport of(RunArchive archive, String run, Instant now) {
        RunRecord found = archive.find(run, now)
                .orElseThrow(() -> new IllegalArgumentException("there must be a run '" + run + "' to report on"));
        List<StageCounts> stages = archive.stages(run).stream()
                .map(stage -> stage.stage().equals(StageAttempt.SOURCE) ? read(found.balance(), stage) : stage)
                .toList();
        Duration interval = Pace.intervalFor(Duration.between(found.created(), found.updated()));
        return new RunReport(
                found,
                archive.retries(run),
                archive.errors(run, MOST_ERRORS),
                stages,
                spending(archive, found.definition()),
                new Pace(interval, archive.throughput(run, interval)),
                archive.dead(DeadFilter.ofRun(run), MOST_DEAD));
    }

    private static List<StageSpending> spending(RunArchive archive, RunDefinition run) {
        return archive.spending(run.id()).stream()
                .sorted(Comparator.<StageSpending>comparingInt(
                                cost -> run.stages().indexOf(cost.stage()))
                        .thenComparing(StageSpending::unit)
                        .thenComparing(cost -> cost.price().map(Price::toString).orElse("")))
                .toList();
    }

    /** Adds the samples that the source could read: the audit trail has only the unreadable samples. */
    private static StageCounts read(Balance balance, StageCounts source) {
        return new StageCounts(
                source.stage(),
                balance.in() - source.failed(),
                source.retried(),
                source.failed(),
                source.skipped(),
                source.time(),
                source.percentiles());
    }

    /**
     * Returns one sentence with the samples that decided the final status; empty for a run without a final status. A run in which
     * no sample succeeded or died is completed, and the sentence explains why.
     */
    public Optional<String> statusBasis() {
        Balance balance = run.balance();
        long tried = balance.succeeded() + balance.dead();
        if (!run.status().isFinal()) {
            return Optional.empty();
        }
        if (tried > 0) {
            return Optional.of(Figures.percent(balance.succeeded(), tried) + " of the " + Figures.count(tried)
                    + " samples that were not skipped succeeded.");
        }
        return Optional.of(
                balance.in() == 0
                        ? "The source had no samples: nothing was tried, and nothing failed."
                        : "All samples were skipped: nothing was tried to its end, and nothing failed.");
    }

    /** Returns true when the run has an audit trail, the origin of retries, errors and stages. */
    public boolean isAudited() {
        return !stages.isEmpty();
    }

    /** Returns the plots of the report: balance, retries, stages, pace; without an audit trail only the balance. */
    public List<Plot> plots() {
        List<Plot> plots = new ArrayList<>();
        plots.add(ReportCharts.balance(run.balance()));
        if (!retries.isEmpty()) {
            plots.add(ReportCharts.retries(retries));
        }
        if (isAudited()) {
            plots.add(ReportCharts.stages(stages));
        }
        if (!pace.intervals().isEmpty()) {
            plots.add(ReportCharts.pace(pace.interval(), pace.intervals()));
        }
        return List.copyOf(plots);
    }

    /** Returns the report as text for a terminal. */
    public String text() {
        return new ReportText(this).render();
    }

    /** Returns the report as one JSON object. */
    public String json() {
        return new ReportJson(this).render();
    }

    /** Returns the report as one self-contained HTML page. */
    public String html() {
        return new ReportHtml(this).render();
    }
}
