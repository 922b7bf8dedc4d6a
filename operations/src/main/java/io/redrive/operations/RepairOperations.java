package io.redrive.operations;

import java.util.function.LongConsumer;

/**
 * Repairs the payloads of many dead letters with one expression, and takes repairs back. Letters are changed page by page, each page in
 * one transaction that compares each payload with the payload the repair was computed from: an edit made meanwhile is never
 * overwritten, and a repair that was killed can be run again. Thread-safe.
 *
 * <pre>{@code
 * RepairExpression fix = RepairExpression.compile("$ ~> |$|{\"currency\": \"BTC\"}|");
 * RepairPreview preview = operations.repairs().preview(selection, fix, 3, done -> {});
 * operations.repairs().apply(preview, fix, done -> {});
 * }</pre>
 */
public interface RepairOperations {

    /**
     * Returns the effect that the expression would have. The store stays unchanged.
     *
     * @param samples the most changed letters to return, 0 to {@link RepairPreview#MAX_SAMPLES}
     * @param progress is told the number of evaluated letters after each page
     */
    RepairPreview preview(LetterSelection selection, RepairExpression expression, int samples, LongConsumer progress);

    /**
     * Repairs the letters of a preview. Failing letters stay as they are. Each changed letter keeps its payload as a version.
     *
     * @param progress is told the number of letters done after each page
     * @return the effect on the letters of the preview that still exist
     */
    RepairCounts apply(RepairPreview preview, RepairExpression expression, LongConsumer progress);

    /**
     * Takes back the last repair of letters. A letter whose payload was not written by a repair stays as it is, so reverting twice
     * equals reverting once. The repaired payload stays as a version.
     *
     * @param preview the letters, as {@link LetterOperations#preview} returned them
     * @param progress is told the number of letters done after each page
     */
    RepairCounts revert(Preview preview, LongConsumer progress);
}
