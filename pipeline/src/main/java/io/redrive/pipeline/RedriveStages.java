package io.redrive.pipeline;

import java.util.List;

/** The stages of a redrive: counted stages of a canary, then a last stage without a count. */
final class RedriveStages {

    private final List<Integer> counted;
    private int stage;
    private long left;

    /** @param counted the number of letters in each stage but the last; empty for a redrive in one stage */
    RedriveStages(List<Integer> counted) {
        this.counted = counted;
        left = lettersOf(stage);
    }

    boolean isCanary() {
        return !counted.isEmpty();
    }

    boolean isLast() {
        return stage >= counted.size();
    }

    /** Returns the number of letters that the current stage has still to send. */
    long left() {
        return left;
    }

    void sent(int letters) {
        left -= letters;
    }

    void next() {
        stage++;
        left = lettersOf(stage);
    }

    private long lettersOf(int number) {
        return number < counted.size() ? counted.get(number) : Long.MAX_VALUE;
    }
}
