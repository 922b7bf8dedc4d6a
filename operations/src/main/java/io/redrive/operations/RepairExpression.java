package io.redrive.operations;

import com.dashjoin.jsonata.JException;
import com.dashjoin.jsonata.Jsonata;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A JSONata expression that turns a payload into a repaired payload.
 *
 * <pre>{@code
 * RepairExpression.compile("$ ~> |$|{\"currency\": \"XBT\" = currency ? \"BTC\" : currency}|")
 * }</pre>
 *
 * <p>An expression reads and changes JSON only: it has no access to classes, files or the network. Each evaluation runs on a thread of
 * its own and is limited in time, depth, memory and size of the result. The bounds inside the engine end almost every expression; the
 * engine does not look at them within a regular expression, so a thread that exceeds the time limit is given up. At most {@value
 * #MAX_GIVEN_UP} threads that were given up run at the same time; while so many run, every evaluation fails. An expression that exceeded
 * the time limit {@value #MAX_TIMEOUTS} times is not evaluated again. Thread-safe.
 */
public final class RepairExpression {

    /** The most characters of an expression. */
    public static final int MAX_LENGTH = 10_000;

    /** The longest evaluation for one payload. */
    public static final Duration TIME_LIMIT = Duration.ofSeconds(1);

    /** The most evaluations over the time limit before the expression is refused for all further payloads. */
    public static final int MAX_TIMEOUTS = 3;

    static final int MAX_GIVEN_UP = 8;

    private static final int MAX_REASON = 300;
    private static final long STACK_BYTES = 8L << 20;
    /** Time for the engine's bounds to end the evaluation before its thread is given up. */
    private static final Duration GRACE = Duration.ofMillis(250);

    private static final Semaphore THREADS = new Semaphore(MAX_GIVEN_UP);

    private final String text;
    private final AtomicInteger timeouts = new AtomicInteger();

    private RepairExpression(String text) {
        this.text = text;
    }

    /**
     * Compiles an expression.
     *
     * @throws IllegalArgumentException when the expression is empty, too long or not valid, with the position of the mistake
     */
    public static RepairExpression compile(String text) {
        if (text.isBlank() || text.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("expression must be 1 to " + MAX_LENGTH + " characters, got "
                    + text.strip().length());
        }
        if (text.contains("__evaluate_")) {
            throw new IllegalArgumentException("expression must not use variables of the engine, got '__evaluate_'");
        }
        try {
            bounded(() -> parse(text));
        } catch (RepairFailure e) {
            throw new IllegalArgumentException("expression is not valid JSONata: " + e.getMessage(), e);
        }
        return new RepairExpression(text);
    }

    /** Returns the expression as given. */
    public String text() {
        return text;
    }

    /** Evaluates the expression for a payload. Never throws because of the expression or the payload. */
    public RepairOutcome apply(byte[] payload) {
        if (timeouts.get() >= MAX_TIMEOUTS) {
            return new RepairOutcome.Failed(
                    "not evaluated: the expression exceeded its time limit for " + MAX_TIMEOUTS + " letters before");
        }
        try {
            return bounded(() -> evaluate(payload));
        } catch (RepairFailure e) {
            if (String.valueOf(e.getMessage()).equals(tooSlow().getMessage())) {
                timeouts.incrementAndGet();
            }
            return new RepairOutcome.Failed(String.valueOf(e.getMessage()));
        }
    }

    private RepairOutcome evaluate(byte[] payload) {
        PayloadDocument document = PayloadDocument.read(payload);
        // Written before the evaluation: a transformation in place must not count as no change.
        byte[] before = JsonResult.write(document.root(), document);
        Jsonata expression = parse(text);
        expression.setOutputConvertNulls(false);
        Object result = expression.evaluate(document.root(), ExpressionBounds.frame(expression));
        if (result == null) {
            throw new RepairFailure("the expression has no result for this payload");
        }
        byte[] after = JsonResult.write(result, document);
        return Arrays.equals(before, after) ? new RepairOutcome.Unchanged() : new RepairOutcome.Changed(after);
    }

    private static Jsonata parse(String text) {
        return Jsonata.jsonata(text);
    }

    static RepairFailure tooSlow() {
        return new RepairFailure("the expression must end within " + TIME_LIMIT.toMillis() + " ms, got no end");
    }

    /**
     * Runs work on a thread with a large stack, which is given up after the time limit.
     *
     * @throws RepairFailure when the work failed or did not end
     */
    private static <T> T bounded(Callable<T> work) {
        if (!THREADS.tryAcquire()) {
            throw new RepairFailure("not evaluated: " + MAX_GIVEN_UP
                    + " earlier expressions run beyond their time limit; wait for their end");
        }
        FutureTask<T> task = new FutureTask<>(() -> {
            try {
                return work.call();
            } finally {
                THREADS.release();
            }
        });
        Thread thread = new Thread(null, task, "redrive-repair", STACK_BYTES);
        thread.setDaemon(true);
        thread.start();
        try {
            return task.get(TIME_LIMIT.plus(GRACE).toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            thread.interrupt();
            throw tooSlow();
        } catch (InterruptedException e) {
            thread.interrupt();
            Thread.currentThread().interrupt();
            throw new RepairFailure("not evaluated: the repair was interrupted");
        } catch (ExecutionException e) {
            throw failure(e.getCause() == null ? e : e.getCause());
        }
    }

    /** Returns the reason for people. */
    private static RepairFailure failure(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof RepairFailure failure) {
                return failure;
            }
            if (cause instanceof StackOverflowError) {
                return new RepairFailure("the expression is nested too deep");
            }
            if (cause instanceof OutOfMemoryError) {
                return ExpressionBounds.tooMuchMemory();
            }
            if (cause instanceof JException error && error.getCause() == null) {
                return new RepairFailure(described(error));
            }
        }
        return new RepairFailure(cut("the expression failed: "
                + thrown.getClass().getSimpleName() + " " + String.valueOf(thrown.getMessage())));
    }

    private static String described(JException error) {
        String message = cut(String.valueOf(error.getMessage()));
        return error.getLocation() < 0
                ? message
                : message + " (position " + error.getLocation() + " of the expression)";
    }

    private static String cut(String reason) {
        return reason.length() > MAX_REASON ? reason.substring(0, MAX_REASON) + "…" : reason;
    }
}
