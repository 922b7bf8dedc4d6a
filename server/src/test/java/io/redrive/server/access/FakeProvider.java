package io.redrive.server.access;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/** An OpenID Connect provider of the tests, on real HTTP with real RS256 keys. */
final class FakeProvider implements AutoCloseable {

    static final String CLIENT = "redrive";
    static final String SECRET = "client-secret-of-the-test";
    static final String AUDIENCE = "redrive-api";

    private final HttpServer http;
    private volatile RSAKey key;
    /** Parameters of the login by code. */
    private final Map<String, Map<String, String>> logins = new ConcurrentHashMap<>();

    volatile Map<String, Object> person = Map.of("preferred_username", "ann", "roles", List.of("ops"));
    /** Replaces the nonce of the next ID token. */
    volatile Optional<String> wrongNonce = Optional.empty();

    FakeProvider() {
        try {
            key = newKey();
            http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        http.createContext("/.well-known/openid-configuration", exchange -> json(exchange, 200, discovery()));
        http.createContext("/keys", exchange -> json(exchange, 200, new JWKSet(key.toPublicJWK()).toJSONObject()));
        http.createContext("/authorize", this::authorize);
        http.createContext("/token", this::token);
        http.start();
    }

    private static RSAKey newKey() {
        try {
            return new RSAKeyGenerator(2048).keyID(UUID.randomUUID().toString()).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    String issuer() {
        return "http://127.0.0.1:" + http.getAddress().getPort();
    }

    void rotateKey() {
        key = newKey();
    }

    private Map<String, Object> discovery() {
        return Map.of(
                "end_session_endpoint", issuer() + "/end",
                "issuer", issuer(),
                "authorization_endpoint", issuer() + "/authorize",
                "token_endpoint", issuer() + "/token",
                "jwks_uri", issuer() + "/keys",
                "subject_types_supported", List.of("public"),
                "response_types_supported", List.of("code"),
                "id_token_signing_alg_values_supported", List.of("RS256"),
                "token_endpoint_auth_methods_supported", List.of("client_secret_basic"));
    }

    /** Logs the person in without asking, as a provider with a session does. */
    private void authorize(HttpExchange exchange) throws IOException {
        Map<String, String> asked = form(exchange.getRequestURI().getRawQuery());
        String code = UUID.randomUUID().toString();
        logins.put(code, asked);
        exchange.getResponseHeaders()
                .add("Location", asked.get("redirect_uri") + "?code=" + code + "&state=" + asked.get("state"));
        exchange.sendResponseHeaders(302, -1);
        exchange.close();
    }

    private void token(HttpExchange exchange) throws IOException {
        Map<String, String> asked = form(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        Map<String, String> login = logins.remove(asked.getOrDefault("code", ""));
        String basic =
                "Basic " + Base64.getEncoder().encodeToString((CLIENT + ":" + SECRET).getBytes(StandardCharsets.UTF_8));
        boolean known = login != null
                && basic.equals(exchange.getRequestHeaders().getFirst("Authorization"))
                && "S256".equals(login.get("code_challenge_method"))
                && challenge(asked.getOrDefault("code_verifier", "")).equals(login.get("code_challenge"))
                && login.get("redirect_uri").equals(asked.get("redirect_uri"));
        if (!known) {
            json(exchange, 400, Map.of("error", "invalid_grant"));
            return;
        }
        JWTClaimsSet.Builder claims = claims(CLIENT).claim("nonce", wrongNonce.orElse(login.get("nonce")));
        json(
                exchange,
                200,
                Map.of(
                        "access_token",
                        "opaque",
                        "token_type",
                        "Bearer",
                        "expires_in",
                        300,
                        "id_token",
                        signed(claims)));
    }

    private static String challenge(String verifier) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns valid claims about the person. */
    JWTClaimsSet.Builder claims(String audience) {
        JWTClaimsSet.Builder claims = new JWTClaimsSet.Builder()
                .issuer(issuer())
                .subject("1234")
                .audience(audience)
                .issueTime(Date.from(Instant.now()))
                .expirationTime(Date.from(Instant.now().plus(Duration.ofMinutes(5))));
        person.forEach(claims::claim);
        return claims;
    }

    String signed(JWTClaimsSet.Builder claims) {
        return signed(claims, key);
    }

    String signedByAnother(JWTClaimsSet.Builder claims) {
        return signed(claims, newKey());
    }

    private static String signed(JWTClaimsSet.Builder claims, RSAKey key) {
        try {
            SignedJWT jwt = new SignedJWT(
                    new JWSHeader.Builder(JWSAlgorithm.RS256)
                            .keyID(key.getKeyID())
                            .build(),
                    claims.build());
            jwt.sign(new RSASSASigner(key));
            return jwt.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    String unsigned(JWTClaimsSet.Builder claims) {
        return new PlainJWT(claims.build()).serialize();
    }

    /** Signs with the public key as if it were a shared secret. */
    String confused(JWTClaimsSet.Builder claims) {
        try {
            SignedJWT jwt = new SignedJWT(
                    new JWSHeader.Builder(JWSAlgorithm.HS256)
                            .keyID(key.getKeyID())
                            .build(),
                    claims.build());
            jwt.sign(new MACSigner(key.toRSAPublicKey().getEncoded()));
            return jwt.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    static Map<String, String> form(String text) {
        return Arrays.stream(text.split("&"))
                .map(pair -> pair.split("=", 2))
                .collect(Collectors.toMap(
                        pair -> pair[0], pair -> URLDecoder.decode(pair[1], StandardCharsets.UTF_8), (a, b) -> b));
    }

    static Map<String, String> query(URI uri) {
        return form(uri.getRawQuery());
    }

    private static void json(HttpExchange exchange, int status, Object body) throws IOException {
        byte[] bytes = new JsonMapper().writeValueAsBytes(body);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        http.stop(0);
    }
}
