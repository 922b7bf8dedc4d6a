package io.redrive.events;

/**
 * The letters of a redrive operation by their results.
 *
 * @param selected letters of the selection
 * @param redriven letters that became events again
 * @param done redriven events that were handled
 * @param deadAgain redriven events that became dead letters again
 * @param gone letters that another command had redriven or purged before their turn came
 */
public record RedriveCounts(long selected, long redriven, long done, long deadAgain, long gone) {

    /** The counts of an empty selection. */
    public static final RedriveCounts NONE = new RedriveCounts(0, 0, 0, 0, 0);

    /** Returns the number of letters that were neither sent nor found gone. */
    public long pending() {
        return selected - redriven - gone;
    }

    /** Returns the number of redriven events that have not ended. */
    public long underWay() {
        return redriven - done - deadAgain;
    }

    RedriveCounts plusSelected(long letters) {
        return new RedriveCounts(selected + letters, redriven, done, deadAgain, gone);
    }

    RedriveCounts plusSent(long letters, long missing) {
        return new RedriveCounts(selected, redriven + letters, done, deadAgain, gone + missing);
    }

    RedriveCounts plusEnded(long handled, long dead) {
        return new RedriveCounts(selected, redriven, done + handled, deadAgain + dead, gone);
    }
}
