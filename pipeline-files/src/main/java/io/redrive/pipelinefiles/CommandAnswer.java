package io.redrive.pipelinefiles;

import io.redrive.core.Failure;
import io.redrive.items.StageOutcome;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;

/**
 * What a command's answer means. Most are the result itself; an object with {@code $skip} lets the sample go no further, one
 * with {@code $error} is a failure:
 *
 * <pre>{@code
 * {"$skip": "too short"}
 * {"$error": "quota used up", "kind": "rate_limited", "retry_after": 2.5}
 * {"$error": "not a picture", "retry": false}
 * }</pre>
 */
final class CommandAnswer {

    private static final String SKIP = "$skip";
    private static final String ERROR = "$error";
    private static final BigDecimal MAX_SECONDS =
            BigDecimal.valueOf(Duration.ofDays(365).toSeconds());

    private CommandAnswer() {}

    static StageOutcome<String> outcome(JsonValue sample, JsonValue answer, Answers answers) {
        if (answer instanceof JsonValue.Obj object && object.members().containsKey(SKIP)) {
            return StageOutcome.skip(object.members().get(SKIP).text());
        }
        if (answer instanceof JsonValue.Obj object && object.members().containsKey(ERROR)) {
            return StageOutcome.failed(Failure.thrown(error(object.members())));
        }
        try {
            return StageOutcome.value(answers.applied(sample, answer));
        } catch (SampleException | AnswerException e) {
            return StageOutcome.failed(Failure.thrown(e));
        }
    }

    private static RuntimeException error(Map<String, JsonValue> members) {
        String message = members.get(ERROR).text();
        if (members.get("retry") == JsonValue.Word.FALSE) {
            return new SampleException(message);
        }
        JsonValue kind = members.get("kind");
        JsonValue seconds = members.get("retry_after");
        return new CommandException(
                kind == null || kind.text().isBlank() ? "command_error" : kind.text(),
                message,
                seconds instanceof JsonValue.Num number ? duration(number) : null);
    }

    private static Duration duration(JsonValue.Num seconds) {
        BigDecimal bounded = seconds.value().max(BigDecimal.ZERO).min(MAX_SECONDS);
        return Duration.ofNanos(bounded.movePointRight(9).longValue());
    }
}
