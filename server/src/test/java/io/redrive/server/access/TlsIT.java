package io.redrive.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.server.TestServer;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server with a certificate of its own, which keytool makes for the test. */
final class TlsIT {

    private static final char[] PASSWORD = "for-the-test".toCharArray();

    @TempDir
    Path folder;

    @Test
    void a_server_with_a_certificate_answers_over_tls_and_asks_browsers_to_stay_there() throws Exception {
        KeyStore made = keyStore();
        Certificate certificate = made.getCertificate("redrive");
        Path certificateFile = pem("cert.pem", "CERTIFICATE", certificate.getEncoded());
        Path keyFile =
                pem("key.pem", "PRIVATE KEY", made.getKey("redrive", PASSWORD).getEncoded());
        String yaml = "http: {tls: {certificate: '%s', private-key: '%s'}}\n".formatted(certificateFile, keyFile);
        try (TestServer server = TestServer.start(folder, yaml)) {
            assertThat(server.url()).startsWith("https://");
            HttpClient trusting = HttpClient.newBuilder()
                    .sslContext(trusting(certificate))
                    .connectTimeout(Duration.ofSeconds(30))
                    .build();
            HttpResponse<String> answer = trusting.send(
                    HttpRequest.newBuilder(URI.create(server.url() + "/health/live"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue("Strict-Transport-Security")).contains("max-age=31536000");
            assertThat(answer.sslSession().orElseThrow().getProtocol()).isIn("TLSv1.3", "TLSv1.2");
            assertThatThrownBy(() -> server.get("/health/live"))
                    .as("a client that does not know the certificate")
                    .hasCauseInstanceOf(SSLHandshakeException.class);
            HttpResponse<String> plain = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/health/live"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(plain.statusCode()).as("plain HTTP on the port of TLS").isEqualTo(400);
        }
    }

    private KeyStore keyStore() throws Exception {
        Path file = folder.resolve("made.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "redrive",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=ip:127.0.0.1,dns:localhost",
                        "-validity",
                        "2",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        new String(PASSWORD))
                .redirectErrorStream(true)
                .start();
        String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(keytool.exitValue()).as(output).isZero();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, PASSWORD);
        }
        return store;
    }

    private Path pem(String name, String kind, byte[] bytes) throws Exception {
        String text = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                .encodeToString(bytes);
        return Files.writeString(
                folder.resolve(name), "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
    }

    private static SSLContext trusting(Certificate certificate) throws Exception {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        trusted.setCertificateEntry("redrive", certificate);
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }
}
