package io.redrive.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.net.ssl.SSLSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryAfterHeaderTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "0                             | 0s",
                "120                           | 120s",
                "0000000000000120              | 120s",
                "Thu, 01 Jan 2026 12:00:30 GMT | 30s",
                "Thu, 1 Jan 2026 12:00:30 GMT  | 30s",
                "Thu, 01 Jan 2026 12:00:00 GMT | 0s",
                "Thu, 01 Jan 2026 11:59:59 GMT | 0s",
                "Fri, 31 Dec 1999 23:59:59 GMT | 0s",
                "' 5 '                         | 5s",
            })
    void seconds_and_dates_are_read(String header, String delay) {
        assertThat(RetryAfterHeader.parse(header, NOON)).contains(DurationText.parse(delay));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "-1",
                "1.5",
                "+5",
                "soon",
                "5s",
                "٣",
                "2026-01-01T12:00:30Z",
                "Mon, 01 Jan 2026 12:00:30 GMT",
                "Thu, 01 Foo 2026 12:00:30 GMT"
            })
    void any_other_text_is_no_hint(String header) {
        assertThat(RetryAfterHeader.parse(header, NOON)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"9999999999", "10000000000", "99999999999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT"})
    void the_very_far_future_is_the_longest_delay(String header) {
        assertThat(RetryAfterHeader.parse(header, NOON)).contains(Backoff.LONGEST);
    }

    @Test
    void the_longest_number_that_fits_is_still_exact() {
        assertThat(RetryAfterHeader.parse("4000000000", NOON)).contains(Duration.ofSeconds(4_000_000_000L));
    }

    @Test
    void a_response_below_400_passes_and_any_other_is_an_exception_with_its_hint() {
        ManualTime time = new ManualTime(NOON);
        HttpResponse<String> good = new Answer(399, Map.of());
        assertThat(HttpStatusException.check(good, time)).isSameAs(good);
        assertThatThrownBy(() -> HttpStatusException.check(
                        new Answer(503, Map.of("Retry-After", "Thu, 01 Jan 2026 12:00:30 GMT")), time))
                .isInstanceOfSatisfying(HttpStatusException.class, e -> {
                    assertThat(e.status()).isEqualTo(503);
                    assertThat(e.retryAfter()).contains(Duration.ofSeconds(30));
                })
                .hasMessage("HTTP 503: GET http://localhost/orders");
        assertThatThrownBy(() -> HttpStatusException.check(new Answer(400, Map.of("Retry-After", "later")), time))
                .isInstanceOfSatisfying(
                        HttpStatusException.class,
                        e -> assertThat(e.retryAfter()).isEmpty());
    }

    /** A response with only the parts that the tests ask for. */
    private record Answer(int statusCode, Map<String, String> fields) implements HttpResponse<String> {
        @Override
        public HttpRequest request() {
            return HttpRequest.newBuilder(uri()).build();
        }

        @Override
        public Optional<HttpResponse<String>> previousResponse() {
            return Optional.empty();
        }

        @Override
        public HttpHeaders headers() {
            return HttpHeaders.of(
                    fields.entrySet().stream()
                            .collect(Collectors.toMap(Map.Entry::getKey, field -> List.of(field.getValue()))),
                    (name, value) -> true);
        }

        @Override
        public String body() {
            return "";
        }

        @Override
        public Optional<SSLSession> sslSession() {
            return Optional.empty();
        }

        @Override
        public URI uri() {
            return URI.create("http://localhost/orders");
        }

        @Override
        public HttpClient.Version version() {
            return HttpClient.Version.HTTP_1_1;
        }
    }
}
