package io.redrive.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Time;
import io.redrive.server.webhook.http.AddressGuard;
import io.redrive.server.webhook.http.Cidr;
import io.redrive.server.webhook.http.ForbiddenAddressException;
import io.redrive.server.webhook.http.OutgoingRequest;
import io.redrive.server.webhook.http.SendResult;
import io.redrive.server.webhook.http.WebhookClient;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An attacker with a name server of its own, and a service on 127.0.0.1 that no route may reach. */
class RebindingTest {

    private TestReceiver secret;
    private TestNameServer names;
    private WebhookClient client;

    @BeforeEach
    void start() throws Exception {
        secret = new TestReceiver();
        names = new TestNameServer();
        // 127.0.0.2 stands for a public address: no service listens there.
        client = new WebhookClient(
                new AddressGuard(List.of(Cidr.parse("127.0.0.2/32"))),
                names.lookup(),
                Optional.empty(),
                Optional.empty(),
                Time.system());
    }

    @AfterEach
    void close() {
        client.close();
        names.close();
        secret.close();
    }

    private SendResult send() throws InterruptedException {
        return client.send(new OutgoingRequest(
                URI.create("http://rebind.attacker.example:" + secret.port() + "/admin"),
                Map.of(),
                new byte[0],
                Duration.ofSeconds(20)));
    }

    private static Exception failure(SendResult result) {
        return ((SendResult.NotAnswered) result).cause();
    }

    @Test
    void the_second_answer_of_a_name_server_is_never_asked_for() throws Exception {
        names.answer("127.0.0.2");
        names.answer("127.0.0.1");

        assertThat(failure(send())).isNotInstanceOf(ForbiddenAddressException.class);
        assertThat(names.queries).hasValue(1);
        assertThat(failure(send())).isInstanceOf(ForbiddenAddressException.class);
        assertThat(names.queries).hasValue(2);
        assertThat(secret.requests).isEmpty();
    }

    @Test
    void a_forbidden_address_behind_an_open_one_refuses_the_name() throws Exception {
        names.answer("127.0.0.2", "169.254.169.254");
        assertThat(failure(send())).isInstanceOf(ForbiddenAddressException.class);
        names.answer("127.0.0.2", "127.0.0.1");
        assertThat(failure(send())).isInstanceOf(ForbiddenAddressException.class);
        assertThat(secret.requests).isEmpty();
    }

    @Test
    void a_connection_that_was_kept_is_not_used_after_the_name_moves_to_a_forbidden_address() throws Exception {
        try (WebhookClient open = new WebhookClient(
                new AddressGuard(List.of(Cidr.parse("127.0.0.1/32"))),
                names.lookup(),
                Optional.empty(),
                Optional.empty(),
                Time.system())) {
            client.close();
            client = open;
            names.answer("127.0.0.1");
            assertThat(send()).isInstanceOf(SendResult.Answered.class);
            names.answer("127.0.0.3");
            assertThat(failure(send())).isInstanceOf(ForbiddenAddressException.class);
            assertThat(secret.requests).hasSize(1);
        }
    }
}
