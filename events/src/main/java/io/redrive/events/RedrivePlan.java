package io.redrive.events;

import java.time.Duration;
import java.util.List;

/**
 * How a redrive operation sends its letters: all at once, at a limited rate, or as a canary. {@code
 * RedrivePlan.CANARY.withPerSecond(20)}.
 *
 * @param stages the number of letters in each stage of a canary but the last; empty for a redrive without stages
 * @param perSecond the most letters per second, may be less than one; 0 for no limit
 * @param stageLimit how long the events of a counted stage may take to end before the canary halts
 * @param limit the most letters of the operation, oldest first
 */
public record RedrivePlan(List<Integer> stages, double perSecond, Duration stageLimit, long limit) {

    /** The most counted stages of a canary. */
    public static final int MAX_STAGES = 10;
    /** The default time limit of a canary's stage. */
    public static final Duration STAGE_LIMIT = Duration.ofMinutes(10);

    /** Sends all letters, as fast as the store can. */
    public static final RedrivePlan ALL_AT_ONCE = new RedrivePlan(List.of(), 0, STAGE_LIMIT, Long.MAX_VALUE);
    /** Sends 1 letter, then 10, then 100, then all others; halts when a cause returns. */
    public static final RedrivePlan CANARY = new RedrivePlan(List.of(1, 10, 100), 0, STAGE_LIMIT, Long.MAX_VALUE);

    private static final double SLOWEST = 0.001;
    private static final double FASTEST = 1_000_000;
    private static final int PORTIONS_PER_SECOND = 10;
    /** Letters that one transaction sends at most: a store is held for milliseconds. */
    static final int MAX_PORTION = 500;

    /** Refuses values out of range. */
    public RedrivePlan {
        stages = List.copyOf(stages);
        if (stages.size() > MAX_STAGES || stages.stream().anyMatch(letters -> letters < 1)) {
            throw new IllegalArgumentException(
                    "stages must be at most " + MAX_STAGES + " numbers of at least 1 letter, got " + stages);
        }
        if (perSecond != 0 && !(perSecond >= SLOWEST && perSecond <= FASTEST)) {
            throw new IllegalArgumentException("perSecond must be between 0.001 and 1000000, got " + perSecond);
        }
        if (stageLimit.isNegative() || stageLimit.isZero()) {
            throw new IllegalArgumentException("stageLimit must be longer than zero, got " + stageLimit);
        }
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be at least 1, got " + limit);
        }
    }

    /** Returns this plan at this rate, in letters per second. */
    public RedrivePlan withPerSecond(double letters) {
        if (letters == 0) {
            throw new IllegalArgumentException("perSecond must be between 0.001 and 1000000, got 0");
        }
        return new RedrivePlan(stages, letters, stageLimit, limit);
    }

    /** Returns this plan with this time limit for the events of a counted stage. */
    public RedrivePlan withStageLimit(Duration duration) {
        return new RedrivePlan(stages, perSecond, duration, limit);
    }

    /** Returns this plan for at most so many letters. */
    public RedrivePlan withLimit(long letters) {
        return new RedrivePlan(stages, perSecond, stageLimit, letters);
    }

    /** Returns true when the letters are sent in stages and a returning cause halts the operation. */
    public boolean isCanary() {
        return !stages.isEmpty();
    }

    /** Returns true for the stage after the counted ones, which sends all remaining letters. */
    boolean isLast(int stage) {
        return stage >= stages.size();
    }

    /** Returns the number of letters in this stage. */
    long lettersOf(int stage) {
        return isLast(stage) ? Long.MAX_VALUE : stages.get(stage);
    }

    /** Returns the most letters of one transaction: a tenth of a second's letters, so that the rate is steady. */
    int portion() {
        return perSecond > 0 ? (int) Math.max(1, Math.min(MAX_PORTION, perSecond / PORTIONS_PER_SECOND)) : MAX_PORTION;
    }

    /** Returns the time that so many letters take at the plan's rate. */
    Duration timeFor(int letters) {
        return perSecond > 0 ? Duration.ofNanos((long) (letters * 1e9 / perSecond)) : Duration.ZERO;
    }
}
