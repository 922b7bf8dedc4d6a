package io.redrive.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Time;
import io.redrive.server.webhook.http.AddressGuard;
import io.redrive.server.webhook.http.Cidr;
import io.redrive.server.webhook.http.OutgoingRequest;
import io.redrive.server.webhook.http.SendResult;
import io.redrive.server.webhook.http.WebhookClient;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.Message;
import org.apache.hc.core5.http.URIScheme;
import org.apache.hc.core5.http.impl.bootstrap.HttpAsyncServer;
import org.apache.hc.core5.http.message.BasicHttpResponse;
import org.apache.hc.core5.http.nio.AsyncRequestConsumer;
import org.apache.hc.core5.http.nio.AsyncServerRequestHandler;
import org.apache.hc.core5.http.nio.entity.StringAsyncEntityConsumer;
import org.apache.hc.core5.http.nio.support.BasicRequestConsumer;
import org.apache.hc.core5.http.nio.support.BasicResponseProducer;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.http2.HttpVersionPolicy;
import org.apache.hc.core5.http2.impl.nio.bootstrap.H2ServerBootstrap;
import org.apache.hc.core5.http2.ssl.H2ServerTlsStrategy;
import org.apache.hc.core5.io.CloseMode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Destinations behind TLS, with a certificate for {@code hooks.example}: HTTP/2 where it is offered, and the name is checked. */
class WebhookTlsTest {

    private static final String PASSWORD = "changeit";

    @TempDir
    static Path folder;

    private static SSLContext tls;
    private static WebhookClient client;

    @BeforeAll
    static void start() throws Exception {
        Path file = folder.resolve("hooks.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=hooks.example",
                        "-ext",
                        "SAN=dns:hooks.example",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        PASSWORD,
                        "-alias",
                        "hooks")
                .redirectErrorStream(true)
                .start();
        String said = new String(keytool.getInputStream().readAllBytes());
        assertThat(keytool.waitFor()).as(said).isZero();
        tls = context(file);
        client = new WebhookClient(
                new AddressGuard(List.of(Cidr.parse("127.0.0.1/32"))),
                host -> new InetAddress[] {InetAddress.getByName("127.0.0.1")},
                Optional.empty(),
                Optional.of(tls),
                Time.system());
    }

    @AfterAll
    static void stop() {
        client.close();
    }

    private static SSLContext context(Path file) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD.toCharArray());
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD.toCharArray());
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("hooks", store.getCertificate("hooks"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    /** A receiver behind TLS that notes the version of each request. */
    private static final class Receiver
            implements AsyncServerRequestHandler<Message<HttpRequest, String>>, AutoCloseable {

        final List<String> versions = new CopyOnWriteArrayList<>();
        private final HttpAsyncServer server;
        private final int port;

        Receiver(HttpVersionPolicy offered) throws Exception {
            server = H2ServerBootstrap.bootstrap()
                    .setVersionPolicy(offered)
                    .setTlsStrategy(new H2ServerTlsStrategy(tls))
                    .setCanonicalHostName("hooks.example")
                    .register("*", this)
                    .create();
            server.start();
            port = ((InetSocketAddress)
                            server.listen(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), URIScheme.HTTPS)
                                    .get()
                                    .getAddress())
                    .getPort();
        }

        @Override
        public AsyncRequestConsumer<Message<HttpRequest, String>> prepare(
                HttpRequest request, org.apache.hc.core5.http.EntityDetails entity, HttpContext context) {
            return new BasicRequestConsumer<>(entity == null ? null : new StringAsyncEntityConsumer());
        }

        @Override
        public void handle(Message<HttpRequest, String> request, ResponseTrigger trigger, HttpContext context)
                throws org.apache.hc.core5.http.HttpException, java.io.IOException {
            versions.add(context.getProtocolVersion() + " " + request.getBody());
            trigger.submitResponse(new BasicResponseProducer(new BasicHttpResponse(204)), context);
        }

        @Override
        public void close() {
            server.close(CloseMode.IMMEDIATE);
        }
    }

    private static SendResult send(String host, int port) throws InterruptedException {
        return client.send(new OutgoingRequest(
                URI.create("https://" + host + ":" + port + "/hooks"),
                Map.of("content-type", "application/json"),
                "{}".getBytes(),
                Duration.ofSeconds(30)));
    }

    @Test
    void a_destination_that_offers_http_2_gets_http_2() throws Exception {
        try (Receiver receiver = new Receiver(HttpVersionPolicy.NEGOTIATE)) {
            assertThat(send("hooks.example", receiver.port)).isInstanceOf(SendResult.Answered.class);
            assertThat(send("hooks.example", receiver.port)).isInstanceOf(SendResult.Answered.class);
            assertThat(receiver.versions).containsExactly("HTTP/2.0 {}", "HTTP/2.0 {}");
        }
    }

    @Test
    void a_destination_that_does_not_gets_http_1_1() throws Exception {
        try (Receiver receiver = new Receiver(HttpVersionPolicy.FORCE_HTTP_1)) {
            assertThat(send("hooks.example", receiver.port)).isInstanceOf(SendResult.Answered.class);
            assertThat(receiver.versions).containsExactly("HTTP/1.1 {}");
        }
    }

    @Test
    void a_certificate_for_another_name_is_refused_before_the_request_is_sent() throws Exception {
        try (Receiver receiver = new Receiver(HttpVersionPolicy.NEGOTIATE)) {
            SendResult result = send("other.example", receiver.port);
            assertThat(result).isInstanceOf(SendResult.NotAnswered.class);
            assertThat(((SendResult.NotAnswered) result).cause()).isInstanceOf(SSLException.class);
            assertThat(receiver.versions).isEmpty();
        }
    }
}
