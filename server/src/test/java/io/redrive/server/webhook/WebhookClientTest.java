package io.redrive.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redrive.core.AttemptTimeoutException;
import io.redrive.core.Time;
import io.redrive.server.webhook.http.AddressGuard;
import io.redrive.server.webhook.http.Answer;
import io.redrive.server.webhook.http.Cidr;
import io.redrive.server.webhook.http.ForbiddenAddressException;
import io.redrive.server.webhook.http.OutgoingRequest;
import io.redrive.server.webhook.http.SendResult;
import io.redrive.server.webhook.http.WebhookClient;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real connections on loopback, to destinations that answer well, badly and not at all. */
class WebhookClientTest {

    private static final Duration LIMIT = Duration.ofMillis(1500);
    private static final AddressGuard LOOPBACK = new AddressGuard(List.of(Cidr.parse("127.0.0.0/8")));
    private WebhookClient client = client(LOOPBACK, InetAddress::getAllByName, Optional.empty());

    @AfterEach
    void close() {
        client.close();
    }

    private static WebhookClient client(AddressGuard guard, AddressGuard.NameLookup names, Optional<URI> proxy) {
        return new WebhookClient(guard, names, proxy, Optional.empty(), Time.system());
    }

    private void use(AddressGuard guard, AddressGuard.NameLookup names, Optional<URI> proxy) {
        client.close();
        client = client(guard, names, proxy);
    }

    private SendResult send(String url) throws InterruptedException {
        return client.send(new OutgoingRequest(URI.create(url), Map.of("x-a", "1"), "{}".getBytes(), LIMIT));
    }

    private static Answer answer(SendResult result) {
        assertThat(result).isInstanceOf(SendResult.Answered.class);
        return ((SendResult.Answered) result).answer();
    }

    private static Exception failure(SendResult result) {
        assertThat(result).isInstanceOf(SendResult.NotAnswered.class);
        return ((SendResult.NotAnswered) result).cause();
    }

    @Test
    void connections_are_used_again() throws Exception {
        try (TestReceiver receiver = new TestReceiver()) {
            for (int i = 0; i < 20; i++) {
                assertThat(answer(send(receiver.url("/a?b=c"))).status()).isEqualTo(204);
            }
            assertThat(receiver.last().path()).isEqualTo("/a?b=c");
            assertThat(receiver.last().header("connection")).isEqualTo("keep-alive");
            receiver.answers(200, "X-A", "b", "thanks");
            for (int i = 0; i < 20; i++) {
                assertThat(answer(send(receiver.url("/"))).body()).asString().isEqualTo("thanks");
            }
            assertThat(receiver.connections).hasSize(1);
        }
    }

    @Test
    void a_connection_ends_with_its_exchange_when_the_destination_says_so() throws Exception {
        try (HostileReceiver receiver = new HostileReceiver(
                HostileReceiver.answers("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi"))) {
            for (int i = 0; i < 3; i++) {
                assertThat(answer(send(receiver.url())).body()).asString().isEqualTo("hi");
            }
            assertThat(receiver.connections).hasValue(3);
        }
    }

    @Test
    void an_answer_in_chunks_and_interim_answers_are_read() throws Exception {
        try (HostileReceiver receiver = new HostileReceiver(HostileReceiver.answers("HTTP/1.1 103 Early Hints\r\n"
                + "Link: </a>\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"))) {
            Answer chunked = answer(send(receiver.url()));
            assertThat(chunked.status()).isEqualTo(200);
            assertThat(chunked.body()).asString().isEqualTo("hi");
            assertThat(chunked.cut()).isFalse();
        }
    }

    @Test
    void an_answer_that_comes_before_a_large_body_was_read_is_taken() throws Exception {
        try (HostileReceiver receiver = new HostileReceiver(
                HostileReceiver.answers("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"))) {
            SendResult result = client.send(new OutgoingRequest(
                    URI.create(receiver.url()), Map.of(), new byte[8_000_000], Duration.ofSeconds(15)));
            // The reset of the connection may overtake the answer; the limit is not waited for.
            if (result instanceof SendResult.Answered answered) {
                assertThat(answered.answer().status()).isEqualTo(413);
            } else {
                assertThat(failure(result)).isNotInstanceOf(AttemptTimeoutException.class);
            }
        }
    }

    @Test
    void a_destination_that_reads_nothing_is_given_up_at_the_limit() throws Exception {
        try (HostileReceiver receiver = new HostileReceiver(HostileReceiver.HANGS)) {
            SendResult result =
                    client.send(new OutgoingRequest(URI.create(receiver.url()), Map.of(), new byte[16_000_000], LIMIT));
            assertThat(failure(result)).isInstanceOf(AttemptTimeoutException.class);
        }
    }

    @Test
    void a_destination_that_hangs_is_given_up_at_the_limit() throws Exception {
        try (HostileReceiver receiver = new HostileReceiver(HostileReceiver.HANGS)) {
            assertThat(failure(send(receiver.url()))).isInstanceOf(AttemptTimeoutException.class);
        }
    }

    @Test
    void a_head_that_drips_is_given_up_and_a_body_that_drips_changes_nothing_about_the_status() throws Exception {
        try (HostileReceiver head = new HostileReceiver(HostileReceiver.drips("HTTP/1.1 200 O", 100));
                HostileReceiver body = new HostileReceiver(
                        HostileReceiver.drips("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nhi", 100))) {
            assertThat(failure(send(head.url()))).isInstanceOf(AttemptTimeoutException.class);
            Answer dripped = answer(send(body.url()));
            assertThat(dripped.isSuccess()).isTrue();
            assertThat(dripped.cut()).isTrue();
            assertThat(dripped.text()).contains("hi");
        }
    }

    @Test
    void a_reset_and_garbage_are_failures() throws Exception {
        try (HostileReceiver resets = new HostileReceiver(HostileReceiver.RESETS);
                HostileReceiver garbles = new HostileReceiver(HostileReceiver.GARBLES);
                HostileReceiver heads = new HostileReceiver(HostileReceiver.HUGE_HEADERS)) {
            assertThat(failure(send(resets.url()))).isNotNull();
            assertThat(failure(send(garbles.url()))).isNotNull();
            assertThat(failure(send(heads.url()))).isNotNull();
        }
    }

    @Test
    void a_hundred_megabytes_are_cut_after_the_first_kibibytes() throws Exception {
        try (HostileReceiver receiver = new HostileReceiver(HostileReceiver.FLOODS)) {
            Answer flooded = answer(send(receiver.url()));
            assertThat(flooded.status()).isEqualTo(500);
            assertThat(flooded.body()).hasSize(Answer.MAX_BODY);
            assertThat(flooded.cut()).isTrue();
        }
    }

    @Test
    void a_name_that_changes_its_address_after_the_check_gains_nothing() throws Exception {
        try (TestReceiver secret = new TestReceiver()) {
            AtomicInteger lookups = new AtomicInteger();
            InetAddress open = InetAddress.getByName("127.0.0.2");
            InetAddress forbidden = InetAddress.getByName("127.0.0.1");
            use(
                    new AddressGuard(List.of(Cidr.parse("127.0.0.2/32"))),
                    host -> new InetAddress[] {lookups.getAndIncrement() == 0 ? open : forbidden},
                    Optional.empty());

            // The receiver listens on 127.0.0.1 only: the checked address 127.0.0.2 refuses the connection.
            failure(send("http://rebind.example:" + secret.port() + "/"));
            assertThat(lookups).hasValue(1);
            assertThat(failure(send("http://rebind.example:" + secret.port() + "/")))
                    .isInstanceOf(ForbiddenAddressException.class);
            assertThat(secret.requests).isEmpty();
        }
    }

    @Test
    void the_host_header_is_the_name_and_the_connection_goes_to_the_checked_address() throws Exception {
        try (TestReceiver receiver = new TestReceiver()) {
            use(LOOPBACK, host -> new InetAddress[] {InetAddress.getByName("127.0.0.1")}, Optional.empty());

            assertThat(answer(send("http://shop.example:" + receiver.port() + "/"))
                            .isSuccess())
                    .isTrue();
            assertThat(receiver.last().header("host")).isEqualTo("shop.example:" + receiver.port());
        }
    }

    @Test
    void an_address_that_refuses_is_followed_by_the_next_address_of_the_host() throws Exception {
        try (TestReceiver receiver = new TestReceiver()) {
            use(
                    LOOPBACK,
                    host -> new InetAddress[] {InetAddress.getByName("127.0.0.3"), InetAddress.getByName("127.0.0.1")},
                    Optional.empty());
            assertThat(answer(send("http://shop.example:" + receiver.port() + "/"))
                            .isSuccess())
                    .isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"127.0.0.1", "2130706433", "0x7f000001", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "localhost"})
    void no_spelling_of_loopback_is_reached(String host) throws Exception {
        try (TestReceiver receiver = new TestReceiver()) {
            use(new AddressGuard(List.of()), InetAddress::getAllByName, Optional.empty());
            assertThat(failure(send("http://" + host + ":" + receiver.port() + "/")))
                    .isInstanceOfAny(ForbiddenAddressException.class, UnknownHostException.class);
            assertThat(receiver.requests).isEmpty();
        }
    }

    @Test
    void a_redirect_to_loopback_is_an_answer_and_nothing_more() throws Exception {
        try (TestReceiver receiver = new TestReceiver();
                TestReceiver secret = new TestReceiver()) {
            receiver.answers(307, "Location", secret.url("/"));
            assertThat(answer(send(receiver.url("/"))).status()).isEqualTo(307);
            assertThat(secret.requests).isEmpty();
        }
    }

    @Test
    void requests_go_through_the_proxy_and_a_proxy_that_is_down_is_no_fault_of_the_destination() throws Exception {
        try (TestReceiver proxy = new TestReceiver()) {
            use(LOOPBACK, InetAddress::getAllByName, Optional.of(URI.create("http://127.0.0.1:" + proxy.port())));
            assertThat(answer(send("http://shop.example/hooks")).isSuccess()).isTrue();
            assertThat(proxy.last().header("host")).isEqualTo("shop.example");
            use(
                    new AddressGuard(List.of()),
                    InetAddress::getAllByName,
                    Optional.of(URI.create("http://127.0.0.1:" + proxy.port())));
            assertThat(failure(send("http://10.0.0.1/"))).isInstanceOf(ForbiddenAddressException.class);
        }
        HostileReceiver gone = new HostileReceiver(HostileReceiver.HANGS);
        gone.close();
        use(LOOPBACK, InetAddress::getAllByName, Optional.of(URI.create("http://127.0.0.1:" + gone.port())));
        assertThat(send("http://shop.example/hooks")).isInstanceOf(SendResult.NotSent.class);
    }

    @Test
    void an_interrupt_gives_a_request_up_that_waits_for_its_answer() throws Exception {
        try (HostileReceiver receiver = new HostileReceiver(HostileReceiver.HANGS)) {
            CompletableFuture<Throwable> end = new CompletableFuture<>();
            Thread sender = new Thread(() -> {
                try {
                    client.send(new OutgoingRequest(
                            URI.create(receiver.url()), Map.of(), new byte[0], Duration.ofMinutes(10)));
                    end.complete(new AssertionError("the request ended"));
                } catch (InterruptedException e) {
                    end.complete(e);
                }
            });
            sender.start();
            await().untilAsserted(() -> assertThat(receiver.connections).hasValue(1));
            sender.interrupt();
            assertThat(end.get(20, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
        }
    }

    @Test
    void an_interrupt_gives_the_request_up() throws Exception {
        try (HostileReceiver receiver = new HostileReceiver(HostileReceiver.HANGS)) {
            Thread.currentThread().interrupt();
            org.assertj.core.api.Assertions.assertThatThrownBy(() -> send(receiver.url()))
                    .isInstanceOf(InterruptedException.class);
        }
    }
}
