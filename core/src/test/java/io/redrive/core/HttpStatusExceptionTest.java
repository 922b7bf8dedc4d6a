package io.redrive.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Answers of a real server as failures. */
final class HttpStatusExceptionTest {

    private HttpServer server;
    private String address;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/busy", exchange -> {
            exchange.getResponseHeaders().add("Retry-After", "7");
            exchange.sendResponseHeaders(429, -1);
            exchange.close();
        });
        server.createContext("/fine", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        address = "http://localhost:" + server.getAddress().getPort();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void a_failed_answer_names_method_and_address_but_not_the_query_which_may_hold_keys() {
        assertThatExceptionOfType(HttpStatusException.class)
                .isThrownBy(() -> HttpStatusException.check(get("/busy/a%20b?key=secret"), Time.system()))
                .withMessage("HTTP 429: GET " + address + "/busy/a%20b")
                .satisfies(refused -> assertThat(refused.status()).isEqualTo(429))
                .satisfies(refused -> assertThat(refused.retryAfter()).contains(Duration.ofSeconds(7)));
    }

    @Test
    void a_good_answer_comes_back() throws Exception {
        HttpResponse<Void> fine = get("/fine");
        assertThat(HttpStatusException.check(fine, Time.system())).isSameAs(fine);
    }

    private HttpResponse<Void> get(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address + path)).build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.discarding());
    }
}
