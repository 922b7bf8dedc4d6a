package io.redrive.server.problem;

import io.redrive.core.SettingException;
import io.redrive.events.RedriveRefusedException;
import io.redrive.events.StoreException;
import io.redrive.operations.NotPermittedException;
import io.redrive.operations.ProposalRefusedException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.async.AsyncRequestNotUsableException;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import tools.jackson.databind.json.JsonMapper;

/** Turns exceptions into problems. An exception that nobody expected is logged under a number, and the caller sees the number only. */
@RestControllerAdvice
public class ProblemAnswers {

    private static final Log LOG = LogFactory.getLog(ProblemAnswers.class);
    private static final JsonMapper JSON = new JsonMapper();

    /** Writes a problem from a filter, where no controller runs. */
    public static void write(HttpServletResponse response, Problem problem) throws IOException {
        response.setStatus(problem.status().value());
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        response.getOutputStream().write(JSON.writeValueAsString(problem.body()).getBytes(StandardCharsets.UTF_8));
    }

    @ExceptionHandler
    @Nullable
    ResponseEntity<Map<String, Object>> answer(Exception exception) {
        if (exception instanceof AsyncRequestNotUsableException || exception instanceof IOException) {
            // The caller hung up.
            return null;
        }
        Problem problem = problem(exception);
        ResponseEntity.BodyBuilder answer =
                ResponseEntity.status(problem.status()).contentType(MediaType.APPLICATION_PROBLEM_JSON);
        if (problem.status() == HttpStatus.SERVICE_UNAVAILABLE) {
            answer.header(HttpHeaders.RETRY_AFTER, "1");
        }
        if (exception instanceof ErrorResponse known) {
            HttpHeaders headers = known.getHeaders();
            if (headers.getFirst(HttpHeaders.ALLOW) != null) {
                answer.header(HttpHeaders.ALLOW, headers.getFirst(HttpHeaders.ALLOW));
            }
        }
        return answer.body(problem.body());
    }

    private static Problem problem(Exception exception) {
        for (Throwable cause = exception; cause != null; cause = cause.getCause()) {
            if (cause instanceof Problem problem) {
                return problem;
            }
        }
        if (exception instanceof SettingException refused) {
            return Problem.wrong(refused.key(), refused.value(), refused.rule());
        }
        if (exception instanceof NotPermittedException refused) {
            return Problem.of(HttpStatus.FORBIDDEN, "not-permitted", String.valueOf(refused.getMessage()));
        }
        if (exception instanceof RedriveRefusedException refused) {
            return Problem.conflict("redrive operation", refused.operation(), String.valueOf(refused.getMessage()));
        }
        if (exception instanceof ProposalRefusedException refused) {
            return refused.isMissing()
                    ? Problem.missing("proposal", String.valueOf(refused.number()))
                    : Problem.conflict(
                            "proposal", String.valueOf(refused.number()), String.valueOf(refused.getMessage()));
        }
        if (exception instanceof StoreException) {
            LOG.error("The store cannot be used", exception);
            return Problem.of(
                    HttpStatus.SERVICE_UNAVAILABLE, "store", "the store cannot be used at the moment; try again later");
        }
        if (exception instanceof ErrorResponse known) {
            return ofSpring(known.getStatusCode(), known.getHeaders().getFirst(HttpHeaders.ALLOW));
        }
        if (exception instanceof MethodArgumentTypeMismatchException mismatch) {
            return Problem.wrong(mismatch.getName(), String.valueOf(mismatch.getValue()), "must be a whole number");
        }
        if (exception instanceof HttpMessageNotReadableException || exception instanceof InvalidParameterException) {
            return Problem.of(HttpStatus.BAD_REQUEST, "invalid", "the body is missing or cannot be read");
        }
        if (exception instanceof IllegalArgumentException) {
            return Problem.of(HttpStatus.BAD_REQUEST, "invalid", String.valueOf(exception.getMessage()));
        }
        String number = UUID.randomUUID().toString();
        LOG.error("Request failed, incident " + number, exception);
        return Problem.of(
                HttpStatus.INTERNAL_SERVER_ERROR,
                "internal",
                "the server made a mistake; its log has the details under incident " + number);
    }

    private static Problem ofSpring(HttpStatusCode code, @Nullable String allowed) {
        HttpStatus status = HttpStatus.resolve(code.value());
        HttpStatus known = status == null ? HttpStatus.BAD_REQUEST : status;
        return switch (known) {
            case NOT_FOUND ->
                Problem.of(
                        known, "not-found", "there is nothing at this path; /api/v1/openapi.yaml describes all paths");
            case METHOD_NOT_ALLOWED ->
                Problem.of(
                        known,
                        "method",
                        allowed == null
                                ? "this path does not take the method"
                                : "this path takes the method " + allowed + " only");
            case UNSUPPORTED_MEDIA_TYPE -> Problem.of(known, "media-type", "this path does not read this Content-Type");
            case NOT_ACCEPTABLE -> Problem.of(known, "media-type", "this path does not write what Accept asks for");
            default -> Problem.of(known, "invalid", "the request is not valid: " + known.getReasonPhrase());
        };
    }
}
