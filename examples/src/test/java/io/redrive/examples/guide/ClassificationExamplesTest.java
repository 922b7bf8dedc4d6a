package io.redrive.examples.guide;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.redrive.core.Attempt;
import io.redrive.core.Backoff;
import io.redrive.core.Decision;
import io.redrive.core.Failure;
import io.redrive.core.HasRetryAfter;
import io.redrive.core.HttpStatusException;
import io.redrive.core.Jitter;
import io.redrive.core.ManualTime;
import io.redrive.core.Presets;
import io.redrive.core.Reason;
import io.redrive.core.Retry;
import io.redrive.core.RetryPolicy;
import io.redrive.core.Time;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The snippets of classification.md. */
final class ClassificationExamplesTest {

    private final SplittableRandom random = new SplittableRandom(1);

    @Test
    void types_are_looked_up_along_the_causes() {
        // snippet: types
        RetryPolicy policy = RetryPolicy.builder()
                .retryOn(IOException.class, TimeoutException.class)
                .doNotRetryOn(FileNotFoundException.class)
                .build();
        // end
        assertThat(retries(policy, new IOException("reset"))).isTrue();
        assertThat(retries(policy, new CompletionException(new IOException("reset"))))
                .isTrue();
        assertThat(retries(policy, new FileNotFoundException("x"))).isFalse();
        assertThat(retries(policy, new IllegalStateException("bug"))).isFalse();
        // The outermost matching type decides.
        assertThat(retries(policy, new IOException(new FileNotFoundException("x"))))
                .isTrue();
    }

    @Test
    void statuses_and_predicates_allow_more() {
        // snippet: statuses
        RetryPolicy policy = RetryPolicy.builder()
                .retryOn(IOException.class)
                .retryOnStatus(429, 502, 503, 504)
                .retryIf(error -> error instanceof SQLException sql && "40001".equals(sql.getSQLState()))
                .build();
        // end
        assertThat(retries(policy, new HttpStatusException(503, "GET /"))).isTrue();
        assertThat(retries(policy, new HttpStatusException(404, "GET /"))).isFalse();
        assertThat(retries(policy, new SQLException("conflict", "40001"))).isTrue();
        assertThat(retries(policy, new SQLException("syntax", "42601"))).isFalse();
    }

    @Test
    void http_answers_become_failures_with_their_hint() throws Exception {
        AtomicInteger answers = new AtomicInteger();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.getResponseHeaders().add("Retry-After", "7");
            exchange.sendResponseHeaders(answers.incrementAndGet() < 3 ? 503 : 200, -1);
            exchange.close();
        });
        server.start();
        try {
            ManualTime time = new ManualTime();
            URI uri = URI.create("http://localhost:" + server.getAddress().getPort() + "/");
            assertThat(fetch(HttpRequest.newBuilder(uri).build(), time)).isEmpty();
            assertThat(time.sleeps()).containsExactly(Duration.ofSeconds(7), Duration.ofSeconds(7));
        } finally {
            server.stop(0);
        }
    }

    private static String fetch(HttpRequest request, Time time) throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        // snippet: http
        RetryPolicy policy = RetryPolicy.builder().retryOnStatus(429, 503).build();
        Retry api = Retry.with(policy).time(time); // Time.system() unless this is a test

        String body = api.call(() -> HttpStatusException.check(client.send(request, BodyHandlers.ofString()), time)
                .body());
        // end
        return body;
    }

    // snippet: hint
    static final class Throttled extends RuntimeException implements HasRetryAfter {
        private static final long serialVersionUID = 1L;
        private final Duration wait;

        Throttled(Duration wait) {
            super("throttled");
            this.wait = wait;
        }

        @Override
        public Optional<Duration> retryAfter() {
            return Optional.of(wait);
        }
    }
    // end

    @Test
    void no_retry_comes_sooner_than_the_hint() {
        RetryPolicy policy = RetryPolicy.builder()
                .backoff(Backoff.fixed(Duration.ofSeconds(1)))
                .jitter(Jitter.none())
                .build();
        ManualTime time = new ManualTime();
        Retry.with(policy).time(time).run(() -> {
            throw new Throttled(Duration.ofSeconds(7));
        });
        assertThat(time.sleeps()).containsExactly(Duration.ofSeconds(7), Duration.ofSeconds(7));
    }

    @Test
    void plain_values_are_failures_too() {
        RetryPolicy base = RetryPolicy.builder().build();
        // snippet: plain-values
        RetryPolicy policy = base.toBuilder()
                .retryOnStatus(429)
                .retryOnKind("timeout", "econnrefused")
                .build();

        Decision first = policy.decide(Attempt.first(Failure.status(429, Duration.ofSeconds(3)), random));
        Decision other = policy.decide(Attempt.first(Failure.kind("bad_input"), random));
        // first is RetryAfter(3s), other is GiveUp(not_retryable)
        // end
        assertThat(first).isEqualTo(new Decision.RetryAfter(Duration.ofSeconds(3)));
        assertThat(other).isEqualTo(Decision.giveUp(Reason.NOT_RETRYABLE));
    }

    @Test
    void shorthands_allow_all_or_nothing() {
        // snippet: shorthands
        RetryPolicy all = Presets.EVENTS.toBuilder().retryAll().build(); // everything but what doNotRetryOn names
        RetryPolicy none = Presets.EVENTS.toBuilder().retryNone().build(); // nothing
        // end
        assertThat(retries(all, new IllegalStateException())).isTrue();
        assertThat(retries(none, new IOException())).isFalse();
    }

    @Test
    void errors_of_the_jvm_and_interrupts_are_never_retried() {
        RetryPolicy all = RetryPolicy.builder().retryOn(Throwable.class).build();
        assertThat(retries(all, new OutOfMemoryError())).isFalse();
        assertThat(retries(all, new NoClassDefFoundError())).isFalse();
        assertThat(retries(all, new InterruptedException())).isFalse();
    }

    private boolean retries(RetryPolicy policy, Throwable error) {
        return policy.decide(Attempt.first(Failure.thrown(error), random)) instanceof Decision.RetryAfter;
    }
}
