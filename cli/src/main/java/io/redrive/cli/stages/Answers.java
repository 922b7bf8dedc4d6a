package io.redrive.cli.stages;

import java.util.Optional;
import tools.jackson.core.JsonPointer;

/**
 * What of an answer counts, and where in the sample it goes.
 *
 * @param pick leads to what counts in the answer
 * @param into leads to its place in the sample; the root replaces the sample
 */
record Answers(JsonPointer pick, JsonPointer into) {

    private static final int MAX_SHOWN = 200;

    /** What counts in the answer. */
    JsonValue picked(JsonValue answer) {
        Optional<JsonValue> found = answer.at(pick);
        return found.orElseThrow(
                () -> new AnswerException("the answer has nothing at " + pick + ", got " + answer.shown(MAX_SHOWN)));
    }

    /** The sample with what counts in its place, as text. */
    String applied(JsonValue sample, JsonValue picked) {
        return sample.with(into, picked).toString();
    }
}
