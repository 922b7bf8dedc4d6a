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
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What became of a run: status, balance, how many retries samples needed, what went wrong most, how reliable each stage
 * was. Immutable; as text for a terminal, JSON for programs, or one HTML page with plots that needs nothing else.
 *
 * <pre>{@code
 * RunReport report = RunReport.of(store.archive(), "summaries-march", Time.system().now());
 * Files.writeString(Path.of("report.html"), report.html());
 * }</pre>
 *
 * @param run the run as it stands
 * @param retries how many samples that have their end needed how many retries
 * @param errors the most common failures, those first
 * @param stages what happened at each stage, in their order
 * @param spending what calls of stages with a cost limit have cost, in the order of the stages
 * @param pace how many samples reached their end over time
 * @param dead the dead samples that died last, those first
 */
public record RunReport(
        RunRecord run,
        SortedMap<Integer, Long> retries,
        List<ErrorCount> errors,
        List<StageCounts> stages,
        List<StageSpending> spending,
        Pace pace,
        List<DeadSample> dead) {

    /** How many different errors a report tells of. */
    public static final int MOST_ERRORS = 10;

    /** How many dead samples a report names. */
    public static final int MOST_DEAD = 20;

    /** Throughput over time: how many samples reached their end in each interval of a length that had any. */
    public record Pace(Duration interval, List<Throughput> intervals) {
        /** A report has no more intervals than this. */
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

        /** Keeps a copy. */
        public Pace {
            intervals = List.copyOf(intervals);
        }

        /** Returns the shortest usual interval of which at most 60 cover {@code span}. */
        static Duration intervalFor(Duration span) {
            return INTERVALS.stream()
                    .filter(interval -> interval.multipliedBy(MOST).compareTo(span) >= 0)
                    .findFirst()
                    .orElse(Duration.ofDays(span.toDays() / MOST + 1));
        }
    }

    /** Keeps copies. */
    public RunReport {
        retries = Collections.unmodifiableSortedMap(new TreeMap<>(retries));
        errors = List.copyOf(errors);
        stages = List.copyOf(stages);
        spending = List.copyOf(spending);
        dead = List.copyOf(dead);
    }

    /** The report on a run; with an audit trail of millions of lines, that takes seconds. */
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

    /** Of what is read, only what could not be has a line in the audit trail. */
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
     * Returns one sentence that says which samples a final status counts; empty before the run has its end. A run without any
     * sample to count is completed, and the sentence says so.
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

    /** True when there is an audit trail to tell of retries, errors and stages. */
    public boolean isAudited() {
        return !stages.isEmpty();
    }

    /** For a terminal. */
    public String text() {
        return new ReportText(this).render();
    }

    /** For programs: one JSON object. */
    public String json() {
        return new ReportJson(this).render();
    }

    /** For a browser: one page with everything in it. */
    public String html() {
        return new ReportHtml(this).render();
    }
}
