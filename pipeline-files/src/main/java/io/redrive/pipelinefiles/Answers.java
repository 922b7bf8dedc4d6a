package io.redrive.pipelinefiles;

import java.util.List;
import java.util.Optional;
import tools.jackson.core.JsonPointer;

/**
 * Which parts of an answer count, and where in the sample each goes.
 *
 * @param picks at least one
 */
record Answers(List<Pick> picks) {

    private static final int MAX_SHOWN = 200;

    /**
     * One part of an answer.
     *
     * @param from leads to the part in the answer
     * @param into leads to its place in the sample; the root replaces the sample
     */
    record Pick(JsonPointer from, JsonPointer into) {}

    static Answers of(JsonPointer from, JsonPointer into) {
        return new Answers(List.of(new Pick(from, into)));
    }

    /** The part of the answer that the pointer leads to. */
    static JsonValue picked(JsonValue answer, JsonPointer from) {
        Optional<JsonValue> found = answer.at(from);
        return found.orElseThrow(
                () -> new AnswerException("the answer has nothing at " + from + ", got " + answer.shown(MAX_SHOWN)));
    }

    /** The sample with every part of the answer in its place, as text. */
    String applied(JsonValue sample, JsonValue answer) {
        JsonValue changed = sample;
        for (Pick pick : picks) {
            changed = changed.with(pick.into(), picked(answer, pick.from()));
        }
        return changed.toString();
    }
}
