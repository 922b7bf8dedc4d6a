package io.redrive.cli.remote;

import io.redrive.cli.command.CommandFailed;
import io.redrive.cli.command.Credentials;
import io.redrive.cli.command.JsonObject;
import io.redrive.events.RedriveRefusedException;
import io.redrive.operations.ProposalRefusedException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;

/**
 * Sends requests to the API of a server, and turns refusals into the exceptions that the facade throws for a store. A server that
 * does not answer as the API says ends the command with a message that names the server, the mistake and a remedy. Redirects are not
 * followed: credentials go to the named server alone.
 */
final class Api {

    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration ANSWER = Duration.ofSeconds(30);
    /** A change of many letters is one request. */
    private static final Duration LONG_ANSWER = Duration.ofMinutes(10);

    private static final String NO_REDRIVE = "; is it a Redrive server, and of this version? See: redrive status";

    private final URI server;
    private final Credentials credentials;
    private final HttpClient client;

    Api(URI server, Credentials credentials) {
        this.server = server;
        this.credentials = credentials;
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(CONNECT);
        client = "http".equals(server.getScheme())
                ? builder.sslContext(trustingNobody()).build()
                : builder.build();
    }

    /** The usual context reads all certificates of the platform, which takes longer than the rest of a command. */
    private static SSLContext trustingNobody() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[0], null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has TLS", e);
        }
    }

    Fields get(ApiPath path) {
        return found(send(request(path, ANSWER).GET(), path)).orElseThrow(() -> missing(path));
    }

    /** Returns the answer; empty when the server has no such thing. */
    Optional<Fields> find(ApiPath path) {
        return found(send(request(path, ANSWER).GET(), path));
    }

    Fields post(ApiPath path, JsonObject body) {
        return change("POST", path, body).orElseThrow(() -> missing(path));
    }

    /** Sends a change; empty when the server has no such thing. */
    Optional<Fields> change(String method, ApiPath path, JsonObject body) {
        return change(method, path, BodyPublishers.ofString(body.toString()), "application/json");
    }

    Optional<Fields> change(String method, ApiPath path, BodyPublisher body, String type) {
        return found(send(request(path, LONG_ANSWER).method(method, body).header("Content-Type", type), path));
    }

    private HttpRequest.Builder request(ApiPath path, Duration limit) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server + path.toString()))
                .timeout(limit)
                .header("Accept", "application/json, application/problem+json");
        credentials.header().ifPresent(value -> request.header("Authorization", value));
        return request;
    }

    private record Answer(ApiPath path, int status, String type, String body, HttpResponse<byte[]> response) {}

    private Answer send(HttpRequest.Builder builder, ApiPath path) {
        HttpRequest request = builder.build();
        try {
            HttpResponse<byte[]> response = client.send(request, BodyHandlers.ofByteArray());
            String type = response.headers().firstValue("Content-Type").orElse("");
            return new Answer(
                    path, response.statusCode(), type, new String(response.body(), StandardCharsets.UTF_8), response);
        } catch (HttpConnectTimeoutException e) {
            throw failed("no answer to a connection within " + CONNECT.toSeconds() + " s; is the address right?", e);
        } catch (HttpTimeoutException e) {
            String limit = request.timeout().orElse(ANSWER).toSeconds() + " s";
            throw failed(
                    "no answer within " + limit + "; the request may still be carried out, see: redrive dlq actions",
                    e);
        } catch (ConnectException e) {
            throw failed("no server answers there; is the URL right, and the server started (redrive serve)?", e);
        } catch (SSLException e) {
            throw failed(
                    "no secure connection: " + e.getMessage()
                            + "; is the certificate trusted, and does the server speak https?",
                    e);
        } catch (IOException e) {
            throw failed("the connection broke: " + (e.getMessage() == null ? e.toString() : e.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failed("interrupted before the answer came", e);
        }
    }

    private CommandFailed failed(String what, Exception cause) {
        return new CommandFailed("server " + server + ": " + what, cause);
    }

    private CommandFailed missing(ApiPath path) {
        return new CommandFailed("server " + server + " has nothing at " + path.path() + NO_REDRIVE);
    }

    private Optional<Fields> found(Answer answer) {
        if (answer.status() / 100 == 2) {
            return Optional.of(fields(answer));
        }
        boolean problem = answer.type().startsWith("application/problem+json");
        if (answer.status() == 404 && problem && Fields.parse(answer.body()).has("field")) {
            return Optional.empty();
        }
        throw refusal(answer, problem);
    }

    private Fields fields(Answer answer) {
        if (!answer.type().startsWith("application/json")) {
            throw new CommandFailed(
                    "server " + server + " answered with " + answer.type() + " instead of JSON" + NO_REDRIVE);
        }
        return Fields.parse(answer.body());
    }

    private RuntimeException refusal(Answer answer, boolean problem) {
        Optional<Fields> body = problem ? Optional.of(Fields.parse(answer.body())) : Optional.empty();
        String detail = body.flatMap(fields -> fields.optional("detail")).orElse("status " + answer.status());
        return switch (answer.status()) {
            case 400, 413, 415 -> problem ? new IllegalArgumentException(detail) : strange(answer);
            case 401 -> unauthorized(detail);
            case 403 -> problem ? new CommandFailed(detail) : strange(answer);
            case 409 -> body.map(fields -> conflict(fields, detail)).orElseGet(() -> new CommandFailed(detail));
            case 429 ->
                new CommandFailed("server " + server + " asks for a pause"
                        + answer.response()
                                .headers()
                                .firstValue("Retry-After")
                                .map(seconds -> " of " + seconds + " s")
                                .orElse("")
                        + ": " + detail);
            case 301, 302, 303, 307, 308 ->
                new CommandFailed("server " + server + " redirects to "
                        + answer.response().headers().firstValue("Location").orElse("another address")
                        + "; redirects are not followed, give the URL of the server itself");
            default ->
                answer.status() >= 500
                        ? new CommandFailed("server " + server + " failed with status " + answer.status()
                                + (problem ? ": " + detail : "; try again, and look at its log"))
                        : strange(answer);
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

    private CommandFailed strange(Answer answer) {
        return new CommandFailed("server " + server + " answered "
                + answer.path().path() + " with status " + answer.status() + NO_REDRIVE);
    }
}
