package io.redrive.operations;

/**
 * The letters of a repair or a revert by its effect on them.
 *
 * @param changed letters with another payload
 * @param unchanged letters whose payload stays the same
 * @param failing letters for which the expression has no valid result; their payload stays the same
 * @param changedMeanwhile letters that somebody edited, redrove or purged while the command ran; the command left them alone
 */
public record RepairCounts(long changed, long unchanged, long failing, long changedMeanwhile) {

    static final RepairCounts NONE = new RepairCounts(0, 0, 0, 0);

    /** Returns the number of all letters that the command looked at. */
    public long letters() {
        return changed + unchanged + failing + changedMeanwhile;
    }

    /** Returns the counts of one letter before its payload is replaced. */
    static RepairCounts of(RepairOutcome outcome) {
        return new RepairCounts(
                outcome instanceof RepairOutcome.Changed ? 1 : 0,
                outcome instanceof RepairOutcome.Unchanged ? 1 : 0,
                outcome instanceof RepairOutcome.Failed ? 1 : 0,
                0);
    }

    RepairCounts plus(RepairCounts more) {
        return new RepairCounts(
                changed + more.changed,
                unchanged + more.unchanged,
                failing + more.failing,
                changedMeanwhile + more.changedMeanwhile);
    }

    /** Returns the counts in words, such as {@code 3 changed, 1 unchanged, 0 failing}. */
    @Override
    public String toString() {
        String words = changed + " changed, " + unchanged + " unchanged, " + failing + " failing";
        return changedMeanwhile == 0 ? words : words + ", " + changedMeanwhile + " changed meanwhile by others";
    }
}
