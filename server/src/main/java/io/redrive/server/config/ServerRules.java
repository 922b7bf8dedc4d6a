package io.redrive.server.config;

import io.redrive.core.SettingException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/** The rules of {@link ServerProperties} that a type does not express. */
final class ServerRules {

    private static final Pattern BCRYPT = Pattern.compile("(\\{bcrypt})?\\$2[aby]\\$\\d\\d\\$[./A-Za-z0-9]{53}");
    private static final long MAX_BODY = DataSize.ofMegabytes(512).toBytes();

    private ServerRules() {}

    static void check(ServerProperties server) {
        ServerProperties.Http http = server.http();
        if (http.port() < 0 || http.port() > 65_535) {
            throw refused("http.port", "must be 0 to 65535", http.port());
        }
        checkTls(http.tls());
        server.auth().users().forEach(ServerRules::checkUser);
        checkOidc(server.auth().oidc());
        checkLimits(server.limits());
        if (!isLoopback(http.address()) && !server.auth().isRequired()) {
            throw refused(
                    "http.address",
                    "must be a loopback address such as 127.0.0.1 while no auth is configured, because other machines would get in;"
                            + " add auth.users (redrive config hash makes the hash of a password), or set auth.required: true and"
                            + " make tokens with redrive token create",
                    http.address());
        }
    }

    private static void checkTls(ServerProperties.Tls tls) {
        if ((tls.certificate() == null) != (tls.privateKey() == null)) {
            throw refused("http.tls", "must have both certificate and private-key, or neither", "");
        }
        checkReadable("http.tls.certificate", tls.certificate());
        checkReadable("http.tls.private-key", tls.privateKey());
    }

    private static void checkReadable(String key, @Nullable Path file) {
        if (file != null && !(Files.isRegularFile(file) && Files.isReadable(file))) {
            // The path is no secret, and the message has to name it.
            throw SettingException.of("redrive." + key, "must name a readable PEM file; there is none at " + file, "");
        }
    }

    private static void checkUser(String name, ServerProperties.User user) {
        String key = "auth.users[" + name + "]";
        if (name.isBlank() || name.length() > 100 || !name.matches("[\\p{L}\\p{N}._@-]+")) {
            throw refused(key, "must be a name of up to 100 letters, digits and . _ @ -", name);
        }
        String password = user.password();
        if (password == null) {
            throw refused(key, "must have a password: the hash that redrive config hash makes", "");
        }
        if (!BCRYPT.matcher(password).matches()) {
            throw refused(
                    key + ".password",
                    "must be a bcrypt hash, never the password itself; redrive config hash makes one",
                    "");
        }
    }

    private static void checkOidc(ServerProperties.Oidc oidc) {
        String issuer = oidc.issuer();
        if (issuer == null) {
            if (oidc.clientId() != null || oidc.audience() != null) {
                throw refused("auth.oidc.issuer", "must be set, because client-id or audience is set", "");
            }
            return;
        }
        checkUrl("auth.oidc.issuer", issuer);
        if (oidc.url() != null) {
            checkUrl("auth.oidc.url", oidc.url());
        }
        if (oidc.clientId() == null && oidc.audience() == null) {
            throw refused(
                    "auth.oidc.client-id", "must be set for the login of people, or audience for bearer tokens", "");
        }
        if ((oidc.clientId() == null) != (oidc.clientSecret() == null)) {
            throw refused("auth.oidc.client-secret", "must be set together with client-id", "");
        }
        if (oidc.roles().isEmpty()) {
            throw refused(
                    "auth.oidc.roles",
                    "must map at least one value of the claim " + oidc.rolesClaim()
                            + " to a role, such as redrive-operators: operator; everybody would be refused",
                    "");
        }
    }

    /** Tokens and codes must not cross a network in the clear. */
    private static void checkUrl(String key, String url) {
        if (!url.matches("https://[^/?#\\s]+(/[^?#\\s]*)?")
                && !url.matches("http://(localhost|127\\.0\\.0\\.1|\\[::1])(:\\d+)?(/[^?#\\s]*)?")) {
            throw refused(key, "must be an https:// URL without query, or http:// on this machine", url);
        }
    }

    private static void checkLimits(ServerProperties.Limits limits) {
        checkAtLeast("limits.events", limits.events(), 1);
        checkAtLeast("limits.page", limits.page(), 1);
        checkAtMost("limits.page", limits.page(), 1_000);
        checkAtLeast("limits.streams", limits.streams(), 0);
        checkAtLeast("limits.connections", limits.connections(), 10);
        checkAtLeast("limits.login-attempts", limits.loginAttempts(), 1);
        checkAtLeast("limits.body", limits.body().toBytes(), 1_024);
        checkAtMost("limits.body", limits.body().toBytes(), MAX_BODY);
        checkAtLeast("limits.headers", limits.headers().toBytes(), 1_024);
        checkAtMost("limits.headers", limits.headers().toBytes(), 1_048_576);
        checkSpan("limits.idle", limits.idle());
        checkSpan("limits.body-time", limits.bodyTime());
    }

    private static void checkSpan(String key, Duration value) {
        if (value.compareTo(Duration.ofMillis(100)) < 0 || value.compareTo(Duration.ofHours(1)) > 0) {
            throw refused(key, "must be between 100ms and 1h", value);
        }
    }

    private static void checkAtLeast(String key, long value, long least) {
        if (value < least) {
            throw refused(key, "must be at least " + least, value);
        }
    }

    private static void checkAtMost(String key, long value, long most) {
        if (value > most) {
            throw refused(key, "must be at most " + most, value);
        }
    }

    /** Returns true when only this machine reaches the address. A name that does not resolve is refused. */
    static boolean isLoopback(String address) {
        try {
            for (InetAddress each : InetAddress.getAllByName(address)) {
                if (!each.isLoopbackAddress()) {
                    return false;
                }
            }
            return !address.isBlank();
        } catch (UnknownHostException e) {
            throw refused("http.address", "must be an address of this machine", address);
        }
    }

    private static SettingException refused(String key, String rule, Object value) {
        return SettingException.of("redrive." + key, rule, value.toString());
    }
}
