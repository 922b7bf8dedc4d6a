package io.redrive.bench;

import io.redrive.events.EventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.journal.EventQuery;
import io.redrive.operations.CauseDifferences;
import io.redrive.operations.Operations;
import io.redrive.operations.Operator;
import io.redrive.operations.Role;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;

/** What operators ask a store with many dead letters and finished events: milliseconds of each question, at the 95th percentile. */
final class OperatorQueries {

    /** Below this number, some questions find no letter at all. */
    static final int LEAST_LETTERS = 10_000;

    /** From this number of letters on, each question finds a whole page. */
    private static final int FULL_PAGES_FROM = 300_000;

    private static final int PAGE = 50;
    private static final double SHARE = 0.95;

    private final Operations operations;
    private final int letters;
    private final int finished;
    private final Random random = new Random(17);

    OperatorQueries(EventStore store, int letters, int finished) {
        operations = Operations.of(store, Operator.named("bench", Role.VIEWER));
        this.letters = letters;
        this.finished = finished;
    }

    /** Returns the percentile of each case. */
    Map<String, Double> p95(int times, Consumer<String> progress) {
        Map<String, Double> millis = new LinkedHashMap<>();
        millis.put("list", p95(times, this::list));
        millis.put("find", p95(times, this::find));
        millis.put("groups", p95(times, this::groups));
        millis.put("count", p95(times, this::count));
        millis.put(
                "causes",
                p95(times, () -> requirePage(operations.causes().latest(PAGE).size())));
        progress.accept("text and differences");
        int slow = Math.max(10, times / 10);
        millis.put("text", p95(slow, this::text));
        millis.put("differs", p95(slow, this::differs));
        return millis;
    }

    private static double p95(int times, Runnable question) {
        question.run();
        double[] millis = new double[times];
        for (int i = 0; i < times; i++) {
            long began = System.nanoTime();
            question.run();
            millis[i] = (System.nanoTime() - began) / 1e6;
        }
        Arrays.sort(millis);
        return EventLoad.percentile(millis, SHARE);
    }

    /** A page of the newest letters, of all and of one name, from a random place on. */
    private void list() {
        LetterFilter filter = random.nextBoolean()
                ? LetterFilter.ALL
                : LetterFilter.ALL.withName("order.name" + random.nextInt(OperatorData.NAMES));
        requirePage(operations
                .letters()
                .newest(filter, letters / 2 + random.nextInt(letters / 2), PAGE)
                .size());
    }

    /** All groups, those of one name, and those of a preview, which ends before the present. */
    private void groups() {
        LetterFilter filter = switch (random.nextInt(3)) {
            case 0 -> LetterFilter.ALL;
            case 1 -> LetterFilter.ALL.withName("order.name" + random.nextInt(OperatorData.NAMES));
            default -> LetterFilter.ALL.withTime(null, Instant.now());
        };
        if (operations.letters().groups(filter, PAGE).isEmpty()) {
            throw new IllegalStateException("expected groups of " + filter.describe() + ", got none");
        }
    }

    /** The letters of the store, of one name and of one cause. */
    private void count() {
        LetterFilter filter = switch (random.nextInt(3)) {
            case 0 -> LetterFilter.ALL;
            case 1 -> LetterFilter.ALL.withName("order.name" + random.nextInt(OperatorData.NAMES));
            default -> LetterFilter.ALL.withFingerprint("cause-" + random.nextInt(OperatorData.LARGE_CAUSES));
        };
        if (operations.letters().count(filter) == 0) {
            throw new IllegalStateException("expected letters of " + filter.describe() + ", got none");
        }
    }

    /** What separates the letters of a large cause from handled events of the same names. */
    private void differs() {
        String cause = "cause-" + random.nextInt(OperatorData.LARGE_CAUSES);
        CauseDifferences differences = operations.causes().differences(cause).orElseThrow();
        boolean told = differences.names().stream()
                .anyMatch(name -> !name.differences().isEmpty());
        if (!told) {
            throw new IllegalStateException("expected a difference of " + cause + ", got none");
        }
    }

    /** One event by its id, a chain by its correlation id, or an id that never existed. */
    private void find() {
        int number = random.nextInt(finished);
        switch (random.nextInt(4)) {
            case 0 -> require(found(EventQuery.id("done-" + number)), 1);
            case 1 ->
                require(
                        found(EventQuery.correlationId("chain-" + number / OperatorData.EVENTS_OF_A_CHAIN)),
                        OperatorData.EVENTS_OF_A_CHAIN);
            case 2 -> require(found(EventQuery.id("dead-" + (1 + random.nextInt(letters)))), 1);
            default -> require(found(EventQuery.id("never-" + number)), 0);
        }
    }

    private int found(EventQuery query) {
        return operations.finder().find(query, PAGE).size();
    }

    /** The newest letters whose error has a text that one letter in a thousand has. */
    private void text() {
        LetterFilter filter = LetterFilter.ALL.withText("host-" + random.nextInt(100, 1_000) + " ref");
        requirePage(operations.letters().newest(filter, Long.MAX_VALUE, PAGE).size());
    }

    /** Fewer letters than usual may fill no page; a question without an answer is a fault in any case. */
    private void requirePage(int got) {
        require(got, letters < FULL_PAGES_FROM && got > 0 ? got : PAGE);
    }

    private static void require(int got, int expected) {
        if (got != expected) {
            throw new IllegalStateException("expected " + expected + " rows, got " + got);
        }
    }
}
