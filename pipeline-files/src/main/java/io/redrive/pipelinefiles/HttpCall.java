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

/**
 * One HTTP request for each sample, made from templates, and its answer as JSON. Any status but 2xx is a failure with that
 * status and the server's {@code Retry-After}; redirects are not followed, since the headers may hold a secret that is not
 * meant for another host. How long a call may take, the answer included, is the stage's time limit: it interrupts.
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

    /** One for the process, made when it is first needed: it keeps connections open between calls. */
    private static final class Client {
        static final HttpClient SHARED = HttpClient.newBuilder()
                .connectTimeout(CONNECT_LIMIT)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    /**
     * What to send.
     *
     * @param method in capitals
     * @param url to where
     * @param headers by their names
     * @param body null when there is none
     */
    record Request(String method, Template url, Map<String, Template> headers, Body body) {

        /** Names something that differs between the samples of a batch, other than through a pointer. */
        boolean namesOneSample() {
            return url.namesOneSample()
                    || headers.values().stream().anyMatch(Template::namesOneSample)
                    || (body != null && body.namesOneSample());
        }
    }

    /** What the request carries. */
    sealed interface Body {
        /** The bytes for one sample. */
        String render(Scope scope);

        /** Its content type, unless a header says otherwise. */
        String contentType();

        /** See {@link Template#namesOneSample}. */
        boolean namesOneSample();

        /** JSON. */
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

        /** Anything else. */
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

    /** The answer to this sample's request. */
    JsonValue send(Scope scope) throws IOException, InterruptedException {
        HttpRequest rendered = render(scope);
        HttpResponse<LimitedBody.Bytes> response = exchange(rendered);
        CallCost cost = scope.context().cost();
        tokens.ifPresent(limit -> limit.heard(response.headers(), cost));
        if (!isGood(response.statusCode())) {
            throw refused(response);
        }
        if (response.body().cut()) {
            throw new SampleException("the answer of " + shown(rendered) + " must have at most " + maxAnswer
                    + " bytes, which is max-payload of the pipeline, got more");
        }
        String text = text(response.body().bytes(), rendered);
        JsonValue answer = json ? parsed(text, rendered) : new JsonValue.Text(text);
        tokens.ifPresent(limit -> limit.answered(answer, cost));
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

    /** Refuses what can be seen to be wrong without a sample. */
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
        String body = request.body() == null ? null : request.body().render(scope);
        URI uri;
        try {
            uri = uri(request.url().renderUrl(scope));
        } catch (IllegalArgumentException e) {
            throw new SampleException("the url of the sample " + e.getMessage(), e);
        }
        try {
            BodyPublisher publisher = body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body);
            HttpRequest.Builder builder = HttpRequest.newBuilder(uri)
                    .method(request.method(), publisher)
                    .version(uri.getScheme().equals("https") ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1)
                    .setHeader("User-Agent", "redrive")
                    .setHeader("Accept", json ? "application/json" : "*/*");
            if (body != null) {
                builder.setHeader("Content-Type", request.body().contentType());
            }
            request.headers().forEach((name, value) -> builder.setHeader(name, value.render(scope)));
            return builder.build();
        } catch (IllegalArgumentException e) {
            // Without the message of the client, which shows the header's value, and with it a secret.
            throw new SampleException("the request of the sample must have printable characters only in its headers");
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
        String said = new String(response.body().bytes(), StandardCharsets.UTF_8).strip();
        String shown = said.length() > ERROR_SHOWN ? said.substring(0, ERROR_SHOWN) + "…" : said;
        String who = shown(response.request());
        return new Refusal(response.statusCode(), shown.isEmpty() ? who : shown + " (" + who + ")", hint.orElse(null));
    }

    /** The message is written for the reader of a report; the class adds nothing. */
    private static final class Refusal extends HttpStatusException {
        private static final long serialVersionUID = 1L;

        Refusal(int status, String message, Duration retryAfter) {
            super(status, message, retryAfter);
        }

        @Override
        public String toString() {
            return getMessage();
        }
    }

    private static String text(byte[] bytes, HttpRequest rendered) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new AnswerException("the answer of " + shown(rendered) + " is no UTF-8", e);
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

    /** Without the query, which may hold a secret. */
    private static String shown(HttpRequest request) {
        URI uri = request.uri();
        return request.method() + " " + uri.getScheme() + "://" + uri.getHost()
                + (uri.getPort() < 0 ? "" : ":" + uri.getPort()) + uri.getPath();
    }
}
