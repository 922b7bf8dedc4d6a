package io.redrive.pipeline;

import io.redrive.core.AttemptTimeoutException;
import io.redrive.core.Failure;
import io.redrive.core.Reason;
import io.redrive.core.RetryBudget;
import io.redrive.events.Claim;
import io.redrive.events.NamePattern;
import io.redrive.events.SharedNotes;
import io.redrive.events.SharedNotes.Note;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The retry budgets of a pipeline, by name pattern. Used by the coordinator alone.
 *
 * <p>A budget caps the retries of all nodes together. Its tokens lie in the store; each node takes some of them for the next
 * second, as many as it asked for lately or half of what is there, and puts back what it did not spend, together with what its
 * first attempts earned. No token is in two places: a node that dies takes its few tokens along, which errs on the side of
 * fewer retries. One that stops in order puts them back.
 *
 * <p>Only first attempts earn tokens. When there are none any more, retries that found the budget empty would wait for ever:
 * after a quiet while one in a second goes without a token, which cannot drown a downstream that gets nothing else.
 */
final class RetryBudgets implements Sharing.Topic {

    private static final String TOPIC = "retry-budget";
    /** So long without a first attempt, and retries may go without a token. */
    static final Duration QUIET = Duration.ofSeconds(10);

    /** How often a node that leaves tries to put its tokens back while others write too. */
    private static final int WRITES_AT_MOST = 10;

    private static final Duration WITHOUT_TOKEN_EVERY = Duration.ofSeconds(1);

    private static final Failure RETRY = Failure.kind("retry");
    private static final Failure TIMEOUT = Failure.thrown(new AttemptTimeoutException(Duration.ZERO));

    private final SortedMap<NamePattern, Purse> byPattern = new TreeMap<>(NamePattern.MOST_SPECIFIC_FIRST);

    private static final class Purse {
        private final RetryBudget budget;
        private int asked;
        /** Attempts that ran into the time limit and whose retries, which cost more, are still to come. */
        private int timeouts;

        private boolean joined;
        /** When the next retry may go without a token; null before the first that finds none. */
        private Instant nextWithout;

        Purse(RetryBudget budget) {
            this.budget = budget;
        }

        private boolean tryRetry() {
            boolean admitted = budget.tryRetry(timeouts > 0 ? TIMEOUT : RETRY);
            timeouts -= admitted && timeouts > 0 ? 1 : 0;
            return admitted;
        }

        private boolean maySkip(Instant now) {
            boolean may = nextWithout != null && Chore.isDue(nextWithout, now, QUIET);
            if (may || nextWithout == null) {
                nextWithout = now.plus(may ? WITHOUT_TOKEN_EVERY : QUIET);
            }
            return may;
        }
    }

    void add(String pattern, RetryBudget budget) {
        byPattern.put(new NamePattern(pattern), new Purse(budget));
    }

    /** True when this claim may be handled now; a retry without a token waits for one and spends no attempt meanwhile. */
    boolean admits(Claim claim, Instant now) {
        Purse purse = claim.attempts().failed() == 0 ? null : purseFor(claim);
        if (purse == null) {
            return true;
        }
        purse.asked++;
        return purse.tryRetry() || purse.maySkip(now);
    }

    /**
     * An attempt failed and will be retried. A claim does not know how the attempt before it failed, and another node may
     * make the retry: so what a retry of a time-out costs is paid by the next retry here, whichever event that is of.
     */
    void failed(Claim claim, String errorType) {
        Purse purse = errorType.equals(Reason.TIMEOUT.code()) ? purseFor(claim) : null;
        if (purse != null) {
            purse.timeouts++;
        }
    }

    /** A first attempt was made, which earns a share of a retry. Told when it is settled: a snooze is no attempt. */
    void attempted(Claim claim, Instant now) {
        Purse purse = claim.attempts().failed() > 0 ? null : purseFor(claim);
        if (purse != null) {
            purse.budget.firstAttempt();
            purse.nextWithout = now.plus(QUIET);
        }
    }

    private Purse purseFor(Claim claim) {
        for (Map.Entry<NamePattern, Purse> entry : byPattern.entrySet()) {
            if (entry.getKey().matches(claim.event().name())) {
                return entry.getValue();
            }
        }
        return null;
    }

    @Override
    public String topic() {
        return TOPIC;
    }

    @Override
    public boolean hasNews() {
        return byPattern.values().stream().anyMatch(purse -> !purse.joined);
    }

    @Override
    public void sync(Map<String, Note> found, SharedNotes notes, Instant now) {
        byPattern.values().forEach(purse -> balance(purse, found.get(purse.budget.name()), notes));
    }

    private static void balance(Purse purse, Note note, SharedNotes notes) {
        RetryBudget budget = purse.budget;
        double held = budget.drain();
        // The first node of all puts its reserve into the pool; who joins later finds it there.
        double pool = note == null ? held : Double.parseDouble(note.value()) + (purse.joined ? held : 0);
        pool = Math.min(budget.size(), pool);
        double taken = wholeRetries(budget, Math.min(pool, Math.max(purse.asked * budget.retryCost(), pool / 2)));
        String left = Double.toString(pool - taken);
        Note changed = note == null ? Note.first(TOPIC, budget.name(), left) : note.with(left);
        if (notes.write(changed)) {
            budget.refill(taken);
            purse.joined = true;
            purse.asked = 0;
        } else {
            budget.refill(held);
        }
    }

    /** Puts back the tokens that this node holds, so that the others and the next start find them. */
    @Override
    public void leave(SharedNotes notes) {
        byPattern.values().stream().filter(purse -> purse.joined).forEach(purse -> giveBack(purse, notes));
    }

    private static void giveBack(Purse purse, SharedNotes notes) {
        RetryBudget budget = purse.budget;
        double held = budget.drain();
        for (int tries = 0; tries < WRITES_AT_MOST; tries++) {
            Note note = notes.read().stream()
                    .filter(each -> each.topic().equals(TOPIC) && each.name().equals(budget.name()))
                    .findFirst()
                    .orElse(Note.first(TOPIC, budget.name(), "0"));
            double pool = Math.min(budget.size(), Double.parseDouble(note.value()) + held);
            if (notes.write(note.with(Double.toString(pool)))) {
                purse.joined = false;
                return;
            }
        }
        budget.refill(held);
    }

    /** Nodes that kept parts of a retry each would keep one another from ever having a whole one. */
    private static double wholeRetries(RetryBudget budget, double tokens) {
        return budget.retryCost() == 0 ? tokens : Math.floor(tokens / budget.retryCost()) * budget.retryCost();
    }
}
