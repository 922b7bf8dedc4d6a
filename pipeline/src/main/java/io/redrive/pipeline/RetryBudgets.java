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
import org.jspecify.annotations.Nullable;

/**
 * The retry budgets of a pipeline, by name pattern. Used by the coordinator alone.
 *
 * <p>A budget caps the retries of all nodes together. Its tokens are in the store. Once a second each node takes
 * tokens, as many as its retries asked for lately or half of the pool, and returns the tokens it did not spend,
 * together with the tokens that its first attempts earned. No token is in two places: a node that dies loses its few
 * tokens, which means fewer retries. A node that stops in order returns its tokens.
 *
 * <p>Only first attempts earn tokens. Without first attempts, retries that found the budget empty would wait for ever:
 * after {@link #QUIET} one retry per second goes without a token, which cannot drown a downstream that gets no other
 * calls.
 *
 * <p>Retries that wait for a token ask again one after the other, as often as tokens came lately, and at the latest after
 * {@link #LONGEST_WAIT}: thousands of waiting retries would otherwise be claimed and put off every second. Such retries cannot be
 * kept out of the claim by name, because first attempts of the same name need no token.
 */
final class RetryBudgets implements Sharing.Topic {

    private static final String TOPIC = "retry-budget";
    /** After this time without a first attempt, retries may go without a token. */
    static final Duration QUIET = Duration.ofSeconds(10);

    /** The longest time after which a waiting retry asks again. */
    static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

    private static final Duration SHORTEST_WAIT = Duration.ofSeconds(1);

    /** How often a stopping node tries to return its tokens while other nodes write too. */
    private static final int WRITES_AT_MOST = 10;

    private static final Duration WITHOUT_TOKEN_EVERY = Duration.ofSeconds(1);

    private static final Failure RETRY = Failure.kind("retry");
    private static final Failure TIMEOUT = Failure.thrown(new AttemptTimeoutException(Duration.ZERO));

    private final SortedMap<NamePattern, Purse> byPattern = new TreeMap<>(NamePattern.MOST_SPECIFIC_FIRST);

    private static final class Purse {
        private final RetryBudget budget;
        private int asked;
        /** Attempts that ran into the time limit whose retries, which cost more, have not begun. */
        private int timeouts;

        private boolean joined;
        /** When the next retry may go without a token; null before the first retry that finds none. */
        private @Nullable Instant nextWithout;

        /** Retries admitted since the last sync, and in the second before, which is the pace of the waiting retries. */
        private int admitted;

        private int pace = 1;
        /** When the last retry that was put off asks again. */
        private Instant lastTurn = Instant.MIN;

        Purse(RetryBudget budget) {
            this.budget = budget;
        }

        private boolean tryRetry() {
            boolean admitted = budget.tryRetry(timeouts > 0 ? TIMEOUT : RETRY);
            timeouts -= admitted && timeouts > 0 ? 1 : 0;
            return admitted;
        }

        /** Returns when the next retry without a token asks again: behind those before, or first again after the longest wait. */
        private Instant nextTurn(Instant now) {
            Instant behind = lastTurn.plus(SHORTEST_WAIT.dividedBy(pace));
            Instant first = now.plus(SHORTEST_WAIT);
            boolean inTime = behind.isAfter(first) && !behind.isAfter(now.plus(LONGEST_WAIT));
            lastTurn = inTime ? behind : first;
            return lastTurn;
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

    /** Returns true when this claim may be handled now. A retry without a token waits and spends no attempt. */
    boolean admits(Claim claim, Instant now) {
        Purse purse = claim.attempts().failed() == 0 ? null : purseFor(claim);
        if (purse == null) {
            return true;
        }
        purse.asked++;
        boolean admitted = purse.tryRetry() || purse.maySkip(now);
        purse.admitted += admitted ? 1 : 0;
        return admitted;
    }

    /** Returns how long a retry waits that was not admitted. */
    Duration waitFor(Claim claim, Instant now) {
        Purse purse = purseFor(claim);
        return purse == null ? SHORTEST_WAIT : Duration.between(now, purse.nextTurn(now));
    }

    /**
     * An attempt failed and will be retried. A claim does not know how its last attempt failed, and another node may
     * make the retry: so the next retry on this node pays the cost of a time-out, whichever event it is for.
     */
    void failed(Claim claim, String errorType) {
        Purse purse = errorType.equals(Reason.TIMEOUT.code()) ? purseFor(claim) : null;
        if (purse != null) {
            purse.timeouts++;
        }
    }

    /** An attempt was settled. A first attempt earns a share of a token; a snoozed event has made no attempt. */
    void attempted(Claim claim, Instant now) {
        Purse purse = claim.attempts().failed() > 0 ? null : purseFor(claim);
        if (purse != null) {
            purse.budget.firstAttempt();
            purse.nextWithout = now.plus(QUIET);
        }
    }

    /** Returns the purse of the most specific pattern that fits; null without a budget. */
    private @Nullable Purse purseFor(Claim claim) {
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

    private static void balance(Purse purse, @Nullable Note note, SharedNotes notes) {
        RetryBudget budget = purse.budget;
        purse.pace = Math.max(1, purse.admitted);
        purse.admitted = 0;
        double held = budget.drain();
        // The first node puts its reserve into the pool; a node that joins later finds the pool filled.
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

    /** Returns this node's tokens to the pool, for other nodes and for the next start. */
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

    /**
     * Rounds down to whole retries: nodes that each held a part of a retry would keep all of them from having a whole
     * one.
     */
    private static double wholeRetries(RetryBudget budget, double tokens) {
        return budget.retryCost() == 0 ? tokens : Math.floor(tokens / budget.retryCost()) * budget.retryCost();
    }
}
