package io.redrive.pipelinefiles;

import io.redrive.core.Failure;
import io.redrive.items.StageOutcome;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Turns the answer of a command into an outcome. An object with {@code $skip} skips the sample, an object with {@code $error} is a
 * failure, any other answer is the result:
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
        if (answer instanceof JsonValue.Obj object) {
            JsonValue skip = object.members().get(SKIP);
            if (skip != null) {
                return StageOutcome.skip(skip.text());
            }
            JsonValue error = object.members().get(ERROR);
            if (error != null) {
                return StageOutcome.failed(Failure.thrown(failure(error.text(), object.members())));
            }
        }
        try {
            return StageOutcome.value(answers.applied(sample, answer));
        } catch (SampleException | AnswerException e) {
            return StageOutcome.failed(Failure.thrown(e));
        }
    }

    private static RuntimeException failure(String message, Map<String, JsonValue> members) {
        if (members.get("retry") == JsonValue.Word.FALSE) {
            return new SampleException(message);
        }
        String kind =
                Optional.ofNullable(members.get("kind")).map(JsonValue::text).orElse("");
        return new CommandException(
                kind.isBlank() ? "command_error" : kind,
                message,
                members.get("retry_after") instanceof JsonValue.Num seconds
                        ? Optional.of(duration(seconds))
                        : Optional.empty());
    }

    private static Duration duration(JsonValue.Num seconds) {
        BigDecimal bounded = seconds.value().max(BigDecimal.ZERO).min(MAX_SECONDS);
        return Duration.ofNanos(bounded.movePointRight(9).longValue());
    }
}
