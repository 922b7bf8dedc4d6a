package io.redrive.pipelinefiles;

import tools.jackson.core.JsonPointer;

/**
 * What a command stage does.
 *
 * @param stage its name
 * @param program what is run
 * @param item what it is given for each sample
 * @param match leads to what item and answer must have in common; the root when nothing
 * @param answers what of its answer counts
 * @param json false when its answer is text
 * @param maxAnswer bytes of an answer at most
 */
record CommandPlan(
        String stage,
        Program program,
        JsonTemplate item,
        JsonPointer match,
        Answers answers,
        boolean json,
        int maxAnswer) {

    private static final int MAX_SHOWN = 100;

    /** The answer as JSON. */
    JsonValue parsed(String answer, String who) {
        if (!json) {
            return new JsonValue.Text(answer);
        }
        try {
            return JsonValue.parse(answer);
        } catch (IllegalArgumentException e) {
            String shown = answer.length() > MAX_SHOWN ? answer.substring(0, MAX_SHOWN) + "…" : answer;
            throw new AnswerException(who + " must answer with JSON, got '" + shown + "', which " + e.getMessage(), e);
        }
    }

    /** Refuses the answer to another sample. */
    void requireMatch(JsonValue item, JsonValue answer, String who) {
        if (!match.matches() && !item.at(match).equals(answer.at(match))) {
            throw new AnswerException(who + " must answer with the " + match + " of the sample, " + shown(item)
                    + ", got " + shown(answer));
        }
    }

    private String shown(JsonValue value) {
        return value.at(match).map(found -> found.shown(MAX_SHOWN)).orElse("nothing");
    }
}
