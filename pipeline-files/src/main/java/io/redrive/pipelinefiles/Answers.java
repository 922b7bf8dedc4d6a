package io.redrive.pipelinefiles;

import java.util.List;
import java.util.Optional;
import tools.jackson.core.JsonPointer;

/**
 * The picks of a stage: which parts of an answer go into the sample, and where.
 *
 * @param picks at least one
 */
record Answers(List<Pick> picks) {

    private static final int MAX_SHOWN = 200;

    /**
     * Copies one part of an answer into the sample.
     *
     * @param from the place in the answer
     * @param into the place in the sample; the empty pointer replaces the whole sample
     */
    record Pick(JsonPointer from, JsonPointer into) {}

    static Answers of(JsonPointer from, JsonPointer into) {
        return new Answers(List.of(new Pick(from, into)));
    }

    /**
     * Returns the part of the answer at this place.
     *
     * @throws AnswerException when the answer has no such place
     */
    static JsonValue picked(JsonValue answer, JsonPointer from) {
        Optional<JsonValue> found = answer.at(from);
        return found.orElseThrow(() ->
                new AnswerException("the answer must have a value at " + from + ", got " + answer.shown(MAX_SHOWN)));
    }

    /** Returns the sample, with the picked parts of the answer, as text. */
    String applied(JsonValue sample, JsonValue answer) {
        JsonValue changed = sample;
        for (Pick pick : picks) {
            changed = changed.with(pick.into(), picked(answer, pick.from()));
        }
        return changed.toString();
    }
}
