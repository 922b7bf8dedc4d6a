package io.redrive.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jwt.JWTClaimsSet;
import io.redrive.operations.Operations;
import io.redrive.operations.Operator;
import io.redrive.operations.Role;
import io.redrive.server.TestServer;
import io.redrive.server.TestServer.Reply;
import java.io.IOException;
import java.net.CookieManager;
import java.net.HttpCookie;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** People log in with a provider, and programs send its tokens. The provider is a real one on HTTP, of the test's own. */
final class ProviderIT {

    @TempDir
    static Path folder;

    private static FakeProvider provider;
    private static TestServer server;

    @BeforeAll
    static void start() {
        provider = new FakeProvider();
        server = TestServer.start(folder, """
                auth:
                  oidc:
                    issuer: "%s"
                    client-id: redrive
                    client-secret: client-secret-of-the-test
                    audience: redrive-api
                    names-claim: publishes
                    roles:
                      ops: operator
                      admins: admin
                      robots: assistant
                      shops: publisher
                limits:
                  login-attempts: 1000
                """.formatted(provider.issuer()));
    }

    @AfterAll
    static void stop() {
        server.close();
        provider.close();
    }

    @AfterEach
    void asBefore() {
        provider.person = Map.of("preferred_username", "ann", "roles", List.of("ops"));
        provider.wrongNonce = Optional.empty();
    }

    private static Reply api(String token) {
        return server.get("/api/v1/me", "Authorization", "Bearer " + token);
    }

    private static JWTClaimsSet.Builder claims() {
        return provider.claims(FakeProvider.AUDIENCE);
    }

    @Test
    void a_bearer_token_of_the_provider_has_the_mapped_role() {
        Reply reply = api(provider.signed(claims()));
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        assertThat(reply.body()).contains("ann").contains("operator");
        assertThat(server.get("/api/v1/tokens", "Authorization", "Bearer " + provider.signed(claims()))
                        .status())
                .as("an operator is no admin")
                .isEqualTo(403);
        provider.person = Map.of("preferred_username", "ann", "roles", "ops admins");
        assertThat(api(provider.signed(claims())).body())
                .as("the highest role counts")
                .contains("admin");
    }

    @Test
    void wrong_tokens_are_refused() {
        Instant past = Instant.now().minus(Duration.ofHours(1));
        Map<String, String> wrong = Map.ofEntries(
                Map.entry("issuer", provider.signed(claims().issuer("https://evil.example"))),
                Map.entry("audience", provider.signed(provider.claims("another-api"))),
                Map.entry("audience of the login", provider.signed(provider.claims(FakeProvider.CLIENT))),
                Map.entry("no audience", provider.signed(claims().audience((String) null))),
                Map.entry("expired", provider.signed(claims().expirationTime(Date.from(past)))),
                Map.entry("no end", provider.signed(claims().expirationTime(null))),
                Map.entry(
                        "not yet",
                        provider.signed(
                                claims().notBeforeTime(Date.from(Instant.now().plus(Duration.ofHours(1)))))),
                Map.entry("unsigned", provider.unsigned(claims())),
                Map.entry("public key as a secret", provider.confused(claims())),
                Map.entry("another key", provider.signedByAnother(claims())),
                Map.entry("cut", provider.signed(claims()).replaceFirst("..$", "")),
                Map.entry("garbage", "a.b.c"),
                Map.entry("unknown role", provider.signed(claims().claim("roles", List.of("cleaners")))),
                Map.entry("no role", provider.signed(claims().claim("roles", null))),
                Map.entry("no name", provider.signed(claims().claim("preferred_username", null))),
                Map.entry("bad name", provider.signed(claims().claim("preferred_username", "a\nb"))));
        wrong.forEach((what, token) -> assertThat(api(token).status()).as(what).isEqualTo(401));
        assertThat(api(provider.signed(claims())).status()).isEqualTo(200);
    }

    @Test
    void a_new_key_of_the_provider_is_found() {
        String before = provider.signed(claims());
        assertThat(api(before).status()).isEqualTo(200);
        provider.rotateKey();
        assertThat(api(provider.signed(claims())).status()).isEqualTo(200);
        assertThat(api(before).status()).as("signed with a withdrawn key").isEqualTo(401);
    }

    @Test
    void a_publisher_publishes_the_names_of_its_claim() {
        provider.person =
                Map.of("preferred_username", "shop", "roles", List.of("shops"), "publishes", List.of("order.*"));
        String token = provider.signed(claims());
        String event = "{\"name\":\"%s\",\"source\":\"shop\",\"payload\":1}";
        String[] shop = {"Authorization", "Bearer " + token};
        assertThat(server.post("/api/v1/events", event.formatted("order.paid"), shop)
                        .status())
                .isEqualTo(202);
        assertThat(server.post("/api/v1/events", event.formatted("user.made"), shop)
                        .status())
                .isEqualTo(403);
        assertThat(server.get("/api/v1/letters", shop).status()).isEqualTo(403);
        provider.person = Map.of("preferred_username", "shop", "roles", List.of("shops"));
        assertThat(api(provider.signed(claims())).status())
                .as("a publisher without names")
                .isEqualTo(401);
    }

    @Test
    void tokens_of_the_server_go_on_beside_those_of_the_provider() {
        String token = Operations.of(server.store(), Operator.named("test", Role.ADMIN))
                .tokens()
                .create("own", Role.VIEWER, List.of(), Optional.empty())
                .text();
        assertThat(api(token).body()).contains("own");
    }

    /** A browser with cookies that follows redirects by hand. */
    private static final class Browser {

        private final CookieManager cookies = new CookieManager();
        private final HttpClient http = HttpClient.newBuilder()
                .cookieHandler(cookies)
                .version(HttpClient.Version.HTTP_1_1)
                .build();

        HttpResponse<String> open(String url) {
            try {
                return http.send(
                        HttpRequest.newBuilder(URI.create(url))
                                .header("Accept", "text/html")
                                .timeout(Duration.ofSeconds(30))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        String target(HttpResponse<String> answer) {
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(302);
            return answer.uri()
                    .resolve(answer.headers().firstValue("Location").orElseThrow())
                    .toString();
        }

        /** Opens a page and goes on until the provider sent the browser back; returns the address of the callback. */
        String toCallback() {
            String begin = target(open(server.url() + "/redrive/causes"));
            String authorize = target(open(begin));
            return target(open(authorize));
        }

        String session() {
            return cookies.getCookieStore().getCookies().stream()
                    .filter(cookie -> cookie.getName().equals("redrive_session"))
                    .map(HttpCookie::getValue)
                    .findFirst()
                    .orElse("");
        }
    }

    @Test
    void a_person_logs_in_and_sees_the_page_that_was_asked_for() {
        Browser browser = new Browser();
        String begin = browser.target(browser.open(server.url() + "/redrive/causes"));
        String authorize = browser.target(browser.open(begin));
        Map<String, String> asked = FakeProvider.query(URI.create(authorize));
        assertThat(asked).containsKeys("state", "nonce", "code_challenge");
        assertThat(asked).containsEntry("code_challenge_method", "S256").containsEntry("response_type", "code");
        String callback = browser.target(browser.open(authorize));
        String before = browser.session();
        HttpResponse<String> done = browser.open(callback);
        String cookie = done.headers().firstValue("Set-Cookie").orElseThrow();
        assertThat(cookie).contains("HttpOnly").contains("SameSite=Lax");
        assertThat(browser.session()).as("no session fixation").isNotEqualTo(before);
        assertThat(browser.target(done)).isEqualTo(server.url() + "/redrive/causes");
        HttpResponse<String> page = browser.open(server.url() + "/redrive/causes");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).contains("ann");
        assertThat(browser.open(callback).statusCode()).as("a code counts once").isEqualTo(401);
    }

    @Test
    void a_person_signs_out_with_the_button_of_the_page_and_not_by_a_link() throws Exception {
        Browser browser = new Browser();
        browser.open(browser.toCallback());
        String page = server.url() + "/redrive/causes";
        assertThat(browser.open(page).body()).contains("action=\"/logout\"", "Sign out");
        browser.open(server.url() + "/logout");
        assertThat(browser.open(page).statusCode()).as("a link ends no session").isEqualTo(200);

        HttpResponse<String> out = browser.http.send(
                HttpRequest.newBuilder(URI.create(server.url() + "/logout"))
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(out.statusCode()).isEqualTo(200);
        assertThat(out.body()).contains("You are signed out", provider.issuer() + "/end?client_id=redrive");
        assertThat(browser.open(page).statusCode()).as("to the login").isEqualTo(302);
        assertThat(server.get("/redrive", "Authorization", "Bearer " + provider.signed(claims()))
                        .body())
                .as("a caller with a token has no session to end")
                .doesNotContain("Sign out");
    }

    @Test
    void a_person_without_a_role_is_refused_and_not_sent_around_in_circles() {
        provider.person = Map.of("preferred_username", "eve", "roles", List.of("cleaners"));
        Browser browser = new Browser();
        browser.open(browser.toCallback());
        HttpResponse<String> page = browser.open(server.url() + "/redrive/causes");
        assertThat(page.statusCode()).isEqualTo(403);
        assertThat(page.body()).contains("no-role");
    }

    @Test
    void a_login_that_was_not_begun_in_this_browser_is_refused() {
        String callback = new Browser().toCallback();
        Browser victim = new Browser();
        assertThat(victim.open(callback).statusCode()).as("login CSRF").isEqualTo(401);
        Browser own = new Browser();
        String mine = own.toCallback();
        assertThat(own.open(mine.replaceFirst("state=[^&]*", "state=forged")).statusCode())
                .isEqualTo(401);
        provider.wrongNonce = Optional.of("replayed");

        Browser replayed = new Browser();
        assertThat(replayed.open(replayed.toCallback()).statusCode())
                .as("wrong nonce")
                .isEqualTo(401);
    }

    @Test
    void a_person_who_sends_a_form_after_the_session_has_ended_is_told_what_to_do() {
        Reply reply = server.send(
                "POST",
                "/redrive/pauses",
                "names=late.*&reason=late".getBytes(StandardCharsets.UTF_8),
                "Accept",
                "text/html",
                "Content-Type",
                "application/x-www-form-urlencoded");
        assertThat(reply.status()).isEqualTo(401);
        assertThat(reply.body()).contains("You are signed out").contains("nothing was changed");
        assertThat(reply.header("WWW-Authenticate"))
                .as("no window of the browser asks for a password")
                .doesNotContain("Basic");
    }

    @Test
    void programs_are_not_sent_to_the_login() {
        assertThat(server.get("/api/v1/status").status()).isEqualTo(401);
        assertThat(server.get("/api/v1/status", "Accept", "text/html").status()).isEqualTo(401);
        assertThat(server.get("/redrive/causes", "Accept", "application/json").status())
                .isEqualTo(401);
        assertThat(server.get("/api/v1/status").header("Set-Cookie")).isEmpty();
        assertThat(api(provider.signed(claims())).header("Set-Cookie"))
                .as("no session for tokens")
                .isEmpty();
    }
}
