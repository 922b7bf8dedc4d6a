package io.redrive.server.webhook;

import io.redrive.core.HasAnswer;
import io.redrive.core.HttpStatusException;
import io.redrive.server.webhook.http.Answer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** An answer that is no success. Status, headers and the beginning of the body go to the history of the event. */
final class RefusedDeliveryException extends HttpStatusException implements HasAnswer {

    private static final long serialVersionUID = 1L;

    private final String answer;

    RefusedDeliveryException(Route route, Answer answer, @Nullable Duration retryAfter) {
        super(
                answer.status(),
                "destination of route '" + route.name() + "'"
                        + (answer.status() / 100 == 3 ? " answered with a redirect, which is never followed" : ""),
                retryAfter);
        this.answer = answer.text();
    }

    @Override
    public String answer() {
        return answer;
    }
}
