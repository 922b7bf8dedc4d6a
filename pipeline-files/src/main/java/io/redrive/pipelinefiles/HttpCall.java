package io.redrive.pipelinefiles;

import io.redrive.core.HttpStatusException;
import io.redrive.core.RetryAfterHeader;
import io.redrive.core.Time;
import io.redrive.items.CallCost;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sends HTTP requests made from templates and reads the answers as JSON. A status outside 2xx is a failure with the status and the
 * {@code Retry-After} of the server. Redirects are not followed, because the headers may hold a secret for the first host only. The
 * time limit of the stage covers the whole call.
 */
final class HttpCall {

    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);
    private static final int ERROR_BYTES = 4_096;
    private static final int ERROR_SHOWN = 300;

    private final Request request;
    private final boolean json;
    private final int maxAnswer;
    private final Time time;
    private final Optional<TokenLimit> tokens;

    /** Holds the client of this process, which keeps connections open between calls. Created at its first use. */
    private static final class Client {
        static final HttpClient SHARED = HttpClient.newBuilder()
                .connectTimeout(CONNECT_LIMIT)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    /**
     * The templates of a request.
     *
     * @param method the HTTP method, in capitals
     * @param headers the headers by their names
     */
    record Request(String method, Template url, Map<String, Template> headers, Optional<Body> body) {

        /** Returns true when a template names id, ordinal or attempt of a sample. */
        boolean namesOneSample() {
            return url.namesOneSample()
                    || headers.values().stream().anyMatch(Template::namesOneSample)
                    || body.filter(Body::namesOneSample).isPresent();
        }
    }

    /** The body of a request. */
    sealed interface Body {
        /** Returns the body for one sample. */
        String render(Scope scope);

        /** Returns the content type, which a header may replace. */
        String contentType();

        /** See {@link Template#namesOneSample}. */
        boolean namesOneSample();

        /** A body in JSON. */
        record Json(JsonTemplate template) implements Body {
            @Override
            public String render(Scope scope) {
                return template.render(scope).toString();
            }

            @Override
            public String contentType() {
                return "application/json";
            }

            @Override
            public boolean namesOneSample() {
                return template.any(Template::namesOneSample);
            }
        }

        /** A body of plain text. */
        record Plain(Template template) implements Body {
            @Override
            public String render(Scope scope) {
                return template.render(scope);
            }

            @Override
            public String contentType() {
                return "text/plain; charset=utf-8";
            }

            @Override
            public boolean namesOneSample() {
                return template.namesOneSample();
            }
        }
    }

    HttpCall(Request request, boolean json, int maxAnswer, Time time, Optional<TokenLimit> tokens) {
        this.request = request;
        this.json = json;
        this.maxAnswer = maxAnswer;
        this.time = time;
        this.tokens = tokens;
    }

    /**
     * Sends the request for this sample and returns the answer.
     *
     * @throws SampleException when the request cannot be made from the sample, or the answer is too long
     * @throws AnswerException when the answer is not UTF-8 or not JSON
     */
    JsonValue send(Scope scope) throws IOException, InterruptedException {
        HttpRequest rendered = render(scope);
        HttpResponse<LimitedBody.Bytes> response = exchange(rendered);
        CallCost cost = scope.context().cost();
        tokens.ifPresent(limit -> limit.observe(response.headers(), cost));
        if (!isGood(response.statusCode())) {
            throw refused(response);
        }
        if (response.body().cut()) {
            throw new SampleException("the answer of " + shown(rendered) + " must have at most " + maxAnswer
                    + " bytes, which is max-payload of the pipeline, got more");
        }
        String text = text(response.body().bytes(), rendered);
        JsonValue answer = json ? parsed(text, rendered) : new JsonValue.Text(text);
        tokens.ifPresent(limit -> limit.correct(answer, cost));
        return answer;
    }

    private HttpResponse<LimitedBody.Bytes> exchange(HttpRequest rendered) throws IOException, InterruptedException {
        try {
            return Client.SHARED.send(
                    rendered, info -> new LimitedBody(isGood(info.statusCode()) ? maxAnswer : ERROR_BYTES));
        } catch (IOException e) {
            throw ConnectionException.of(e, rendered.uri().getHost(), shown(rendered));
        }
    }

    /** Refuses a URL that is wrong for every sample. */
    void check() {
        String start = request.url().start();
        boolean absolute = start.startsWith("http://") || start.startsWith("https://");
        if (!absolute && (!start.isEmpty() || request.url().isFixed())) {
            throw new IllegalArgumentException("must begin with http:// or https://");
        }
        if (request.url().isFixed()) {
            uri(start);
        }
    }

    private HttpRequest render(Scope scope) {
        URI uri;
        try {
            uri = uri(request.url().renderUrl(scope));
        } catch (IllegalArgumentException e) {
            throw new SampleException("the url of the sample " + e.getMessage(), e);
        }
        try {
            BodyPublisher publisher = request.body()
                    .map(body -> BodyPublishers.ofString(body.render(scope)))
                    .orElseGet(BodyPublishers::noBody);
            HttpRequest.Builder builder = HttpRequest.newBuilder(uri)
                    .method(request.method(), publisher)
                    .version(uri.getScheme().equals("https") ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1)
                    .setHeader("User-Agent", "redrive")
                    .setHeader("Accept", json ? "application/json" : "*/*");
            request.body().ifPresent(body -> builder.setHeader("Content-Type", body.contentType()));
            request.headers().forEach((name, value) -> builder.setHeader(name, value.render(scope)));
            return builder.build();
        } catch (IllegalArgumentException e) {
            // The message of the client is left out, because it shows the header's value, which may be a secret.
            throw new SampleException(
                    "the headers of the request must have printable characters only; the sample has others");
        }
    }

    private static URI uri(String text) {
        URI uri;
        try {
            uri = URI.create(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("must be a URL", e);
        }
        boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
        if (!http || uri.getHost() == null) {
            throw new IllegalArgumentException("must be a URL that begins with http:// or https:// and names a host");
        }
        return uri;
    }

    private HttpStatusException refused(HttpResponse<LimitedBody.Bytes> response) {
        Instant now = time.now();
        Optional<Duration> hint =
                response.headers().firstValue("Retry-After").flatMap(header -> RetryAfterHeader.parse(header, now));
        String text = new String(response.body().bytes(), StandardCharsets.UTF_8).strip();
        String detail = text.length() > ERROR_SHOWN ? text.substring(0, ERROR_SHOWN) + "…" : text;
        String sent = shown(response.request());
        String message = detail.isEmpty() ? sent : detail + " (" + sent + ")";
        return new Refusal(response.statusCode(), message, hint.orElse(null));
    }

    /** A status other than 2xx. Its text is the message alone, because reports show this text to users. */
    private static final class Refusal extends HttpStatusException {
        private static final long serialVersionUID = 1L;

        Refusal(int status, String message, @Nullable Duration retryAfter) {
            super(status, message, retryAfter);
        }

        @Override
        public String toString() {
            return String.valueOf(getMessage());
        }
    }

    private static String text(byte[] bytes, HttpRequest rendered) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new AnswerException("the answer of " + shown(rendered) + " must be UTF-8", e);
        }
    }

    private static JsonValue parsed(String text, HttpRequest rendered) {
        try {
            return JsonValue.parse(text);
        } catch (IllegalArgumentException e) {
            throw new AnswerException("the answer of " + shown(rendered) + " " + e.getMessage(), e);
        }
    }

    private static boolean isGood(int status) {
        return status >= 200 && status < 300;
    }

    /** Returns the request for messages, without the query, which may hold a secret. */
    private static String shown(HttpRequest request) {
        URI uri = request.uri();
        return request.method() + " " + uri.getScheme() + "://" + uri.getHost()
                + (uri.getPort() < 0 ? "" : ":" + uri.getPort()) + uri.getPath();
    }
}
