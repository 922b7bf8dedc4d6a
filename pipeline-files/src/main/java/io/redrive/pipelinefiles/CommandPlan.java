package io.redrive.pipelinefiles;

import tools.jackson.core.JsonPointer;

/**
 * The settings of a command stage.
 *
 * @param stage the name of the stage
 * @param program the program that the stage runs
 * @param item the item that the program gets for each sample
 * @param match the place at which item and answer must be equal; the empty pointer disables the check
 * @param answers the picks
 * @param json false when answers are text
 * @param maxAnswer the largest answer in bytes
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

    /**
     * Returns the answer as JSON.
     *
     * @param command names the command in messages
     * @throws AnswerException when the answer must be JSON and is not
     */
    JsonValue parsed(String answer, String command) {
        if (!json) {
            return new JsonValue.Text(answer);
        }
        try {
            return JsonValue.parse(answer);
        } catch (IllegalArgumentException e) {
            String shown = answer.length() > MAX_SHOWN ? answer.substring(0, MAX_SHOWN) + "…" : answer;
            throw new AnswerException(
                    command + " must answer with JSON, got '" + shown + "', which " + e.getMessage(), e);
        }
    }

    /**
     * Refuses an answer that belongs to another sample.
     *
     * @throws AnswerException when item and answer differ at the place that must match
     */
    void requireMatch(JsonValue item, JsonValue answer, String command) {
        if (!match.matches() && !item.at(match).equals(answer.at(match))) {
            throw new AnswerException(command + " must answer with the " + match + " of the sample, " + shown(item)
                    + ", got " + shown(answer));
        }
    }

    private String shown(JsonValue value) {
        return value.at(match).map(found -> found.shown(MAX_SHOWN)).orElse("nothing");
    }
}
