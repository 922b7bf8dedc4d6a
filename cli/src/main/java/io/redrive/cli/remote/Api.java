package io.redrive.cli.remote;

import io.redrive.cli.command.CommandFailed;
import io.redrive.cli.command.Credentials;
import io.redrive.cli.command.JsonObject;
import io.redrive.cli.remote.HttpTransport.Answer;
import io.redrive.events.RedriveRefusedException;
import io.redrive.operations.ProposalRefusedException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLException;

/**
 * Sends requests to the API of a server, and turns refusals into the exceptions that the facade throws for a store. A server that
 * does not answer as the API says ends the command with a message that names the server, the mistake and a remedy. Redirects are not
 * followed: credentials go to the named server alone.
 */
final class Api {

    private static final Duration ANSWER = Duration.ofSeconds(30);
    /** A change of many letters is one request. */
    private static final Duration LONG_ANSWER = Duration.ofMinutes(10);

    private static final String JSON = "application/json";
    private static final String NO_REDRIVE = "; is it a Redrive server, and of this version? See: redrive status";

    private final URI server;
    private final Credentials credentials;

    Api(URI server, Credentials credentials) {
        this.server = server;
        this.credentials = credentials;
    }

    Fields get(ApiPath path) {
        return found(path, send("GET", path, Optional.empty(), ANSWER)).orElseThrow(() -> missing(path));
    }

    /** Returns the answer; empty when the server has no such thing. */
    Optional<Fields> find(ApiPath path) {
        return found(path, send("GET", path, Optional.empty(), ANSWER));
    }

    Fields post(ApiPath path, JsonObject body) {
        return change("POST", path, body).orElseThrow(() -> missing(path));
    }

    /** Sends a change; empty when the server has no such thing. */
    Optional<Fields> change(String method, ApiPath path, JsonObject body) {
        return change(method, path, HttpTransport.Body.of(body.toString(), JSON));
    }

    Optional<Fields> change(String method, ApiPath path, HttpTransport.Body body) {
        return found(path, send(method, path, Optional.of(body), LONG_ANSWER));
    }

    private Answer send(String method, ApiPath path, Optional<HttpTransport.Body> body, Duration limit) {
        URI uri = URI.create(server + path.toString());
        try {
            return HttpTransport.send(new HttpTransport.Request(method, uri, credentials.header(), body, limit));
        } catch (HttpTransport.NotConnectedException e) {
            throw failed(
                    "no answer to a connection within " + HttpTransport.CONNECT.toSeconds()
                            + " s; is the address right?",
                    e);
        } catch (SocketTimeoutException e) {
            throw failed(
                    "no answer within " + limit.toSeconds()
                            + " s; the request may still be carried out, see: redrive dlq actions",
                    e);
        } catch (ConnectException | NoRouteToHostException | UnknownHostException e) {
            throw failed("no server answers there; is the URL right, and the server started (redrive serve)?", e);
        } catch (SSLException e) {
            throw failed(
                    "no secure connection: " + e.getMessage()
                            + "; is the certificate trusted, and does the server speak https?",
                    e);
        } catch (IOException e) {
            throw failed("the connection broke: " + (e.getMessage() == null ? e.toString() : e.getMessage()), e);
        }
    }

    private CommandFailed failed(String what, Exception cause) {
        return new CommandFailed("server " + server + ": " + what, cause);
    }

    private CommandFailed missing(ApiPath path) {
        return new CommandFailed("server " + server + " has nothing at " + path.path() + NO_REDRIVE);
    }

    private Optional<Fields> found(ApiPath path, Answer answer) {
        if (answer.status() / 100 == 2) {
            return Optional.of(fields(answer));
        }
        boolean problem = answer.type().startsWith("application/problem+json");
        if (answer.status() == 404 && problem && Fields.parse(answer.body()).has("field")) {
            return Optional.empty();
        }
        throw refusal(path, answer, problem);
    }

    private Fields fields(Answer answer) {
        if (!answer.type().startsWith(JSON)) {
            throw new CommandFailed(
                    "server " + server + " answered with " + answer.type() + " instead of JSON" + NO_REDRIVE);
        }
        return Fields.parse(answer.body());
    }

    private RuntimeException refusal(ApiPath path, Answer answer, boolean problem) {
        Optional<Fields> body = problem ? Optional.of(Fields.parse(answer.body())) : Optional.empty();
        String detail = body.flatMap(fields -> fields.optional("detail")).orElse("status " + answer.status());
        return switch (answer.status()) {
            case 400, 413, 415 -> problem ? new IllegalArgumentException(detail) : strange(path, answer);
            case 401 -> unauthorized(detail);
            case 403 -> problem ? new CommandFailed(detail) : strange(path, answer);
            case 409 -> body.map(fields -> conflict(fields, detail)).orElseGet(() -> new CommandFailed(detail));
            case 429 ->
                new CommandFailed("server " + server + " asks for a pause"
                        + answer.retryAfter()
                                .map(seconds -> " of " + seconds + " s")
                                .orElse("")
                        + ": " + detail);
            case 301, 302, 303, 307, 308 ->
                new CommandFailed("server " + server + " redirects to "
                        + answer.location().orElse("another address")
                        + "; redirects are not followed, give the URL of the server itself");
            default ->
                answer.status() >= 500
                        ? new CommandFailed("server " + server + " failed with status " + answer.status()
                                + (problem ? ": " + detail : "; try again, and look at its log"))
                        : strange(path, answer);
        };
    }

    /** Returns the exception of the facade for a thing whose state does not allow the request. */
    private static RuntimeException conflict(Fields problem, String detail) {
        String value = problem.optional("value").orElse("");
        return switch (problem.optional("field").orElse("")) {
            case "redrive operation" -> new RedriveRefusedException(value, detail);
            case "proposal" -> new ProposalRefusedException(problem.number("value"), detail);
            default -> new CommandFailed(detail);
        };
    }

    private CommandFailed unauthorized(String detail) {
        return new CommandFailed(
                credentials instanceof Credentials.None
                        ? "server " + server
                                + " needs credentials: set REDRIVE_TOKEN (redrive token create makes a token),"
                                + " give --token-file FILE, or set REDRIVE_USER and REDRIVE_PASSWORD"
                        : "server " + server + " refused " + credentials + ": " + detail);
    }

    private CommandFailed strange(ApiPath path, Answer answer) {
        return new CommandFailed(
                "server " + server + " answered " + path.path() + " with status " + answer.status() + NO_REDRIVE);
    }
}
