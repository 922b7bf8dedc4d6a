package io.redrive.server.webhook;

import io.redrive.core.Presets;
import io.redrive.core.SettingException;
import io.redrive.events.NamePattern;
import io.redrive.server.webhook.signature.SigningKeys;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads the section {@code routes} of the configuration. */
final class RouteReader {

    static final String SECTION = "routes";
    private static final Set<String> KEYS = Set.of(
            "events",
            "url",
            "plain-http",
            "signature",
            "secret",
            "grace",
            "concurrency",
            "rate",
            "time-limit",
            "order",
            "retry",
            "retry-budget",
            "headers",
            "forward-headers");
    private static final int MAX_URL = 2_000;
    private static final Duration MOST_GRACE = Duration.ofDays(7);
    private static final Duration USUAL_GRACE = Duration.ofDays(1);
    private static final Duration MOST_TIME = Duration.ofSeconds(15);
    static final int USUAL_CONCURRENCY = 10;
    private static final List<String> TRACING = List.of("traceparent", "tracestate");

    private RouteReader() {}

    /**
     * Returns the routes by name.
     *
     * @param routes the value of the section; null for no routes
     * @throws SettingException for an unknown key or a bad value, with key, rule and value
     */
    static Map<String, Route> read(@Nullable Object routes) {
        Map<String, Route> byName = new TreeMap<>();
        SettingSection.mapping(SECTION, routes).forEach((name, value) -> byName.put(name, route(name, value)));
        return byName;
    }

    /** Checks the name of a route or receiver, which is part of event names and of addresses. */
    static String requireName(String section, String name) {
        if (!name.matches("[a-z0-9][a-z0-9_-]{0,63}")) {
            throw SettingException.of(
                    section + "." + name, "must be named with 1 to 64 lower-case letters, digits, '_' or '-'", name);
        }
        return name;
    }

    private static Route route(String name, Object value) {
        String path = SECTION + "." + requireName(SECTION, name);
        SettingSection section = SettingSection.of(path, value, KEYS);
        return new Route(
                name,
                events(section),
                new Route.Target(url(section)),
                signing(section),
                limits(section),
                headers(section),
                retry(section));
    }

    private static List<NamePattern> events(SettingSection section) {
        List<NamePattern> patterns = new ArrayList<>();
        for (String text : section.list("events")) {
            NamePattern pattern;
            try {
                pattern = new NamePattern(text);
            } catch (IllegalArgumentException e) {
                throw SettingException.because(section.key("events"), text, e);
            }
            if ((text + ".").startsWith(Route.PREFIX)) {
                throw SettingException.of(
                        section.key("events"), "must not match webhook.*, the events that routes make", text);
            }
            patterns.add(pattern);
        }
        if (patterns.isEmpty()) {
            throw SettingException.of(section.key("events"), "must list event names or patterns such as order.*", "");
        }
        return patterns;
    }

    private static URI url(SettingSection section) {
        String key = section.key("url");
        String text = section.required("url", "must be the https:// address of the receiver");
        URI url;
        try {
            url = new URI(text);
        } catch (URISyntaxException e) {
            // The input may hold a key in its query.
            throw SettingException.of(key, "must be an address without spaces: " + e.getReason(), "(hidden)");
        }
        String shown = url.getScheme() + "://" + url.getHost() + url.getRawPath();
        if (text.length() > MAX_URL) {
            throw SettingException.of(key, "must have at most " + MAX_URL + " characters", shown);
        }
        if (url.getRawUserInfo() != null || text.contains("@") && url.getHost() == null) {
            throw SettingException.of(key, "must have no user name and password; use headers", "(hidden)");
        }
        boolean plain = section.flag("plain-http");
        boolean known = "https".equals(url.getScheme()) || plain && "http".equals(url.getScheme());
        if (!known) {
            throw SettingException.of(key, "must begin with https:// (http:// only with plain-http: true)", shown);
        }
        if (url.getHost() == null || url.getPort() == 0 || url.getPort() > 65_535) {
            throw SettingException.of(key, "must name a host, and a port from 1 to 65535 if any", shown);
        }
        if (url.getRawFragment() != null) {
            throw SettingException.of(key, "must have no part after #", shown);
        }
        return url;
    }

    private static Route.Signing signing(SettingSection section) {
        String scheme = section.oneOf("signature", List.of("v1", "v1a", Route.Signing.NONE))
                .orElse("");
        Optional<HiddenText> secret = section.text("secret").map(HiddenText::new);
        if (scheme.equals(Route.Signing.NONE) && secret.isPresent()) {
            throw SettingException.of(section.key("secret"), "must be left out with signature: none", "(hidden)");
        }
        if (secret.isPresent()) {
            String found = SigningKeys.parse(section.key("secret"), secret.get().text())
                    .scheme();
            if (!scheme.isEmpty() && !scheme.equals(found)) {
                throw SettingException.of(
                        section.key("signature"), "must be " + found + ", the scheme of the secret", scheme);
            }
            scheme = found;
        }
        Duration grace = section.duration("grace", USUAL_GRACE, Duration.ZERO, MOST_GRACE);
        return new Route.Signing(scheme.isEmpty() ? "v1" : scheme, secret, grace);
    }

    private static Route.Limits limits(SettingSection section) {
        return new Route.Limits(
                section.whole("concurrency", USUAL_CONCURRENCY, 1, 1_000),
                section.number("rate", 0.01, 100_000),
                section.duration("time-limit", MOST_TIME, Duration.ofMillis(100), MOST_TIME),
                section.oneOf("order", List.of("key", "none")).orElse("key").equals("key"),
                section.number("retry-budget", 0.01, 1));
    }

    private static Route.Headers headers(SettingSection section) {
        Map<String, HiddenText> fixed = new LinkedHashMap<>();
        SettingSection.mapping(section.key("headers"), section.raw("headers")).forEach((name, value) -> {
            String key = section.key("headers") + "." + name;
            fixed.put(
                    HeaderRules.requireName(key, name),
                    new HiddenText(HeaderRules.requireValue(key, String.valueOf(value))));
        });
        List<String> forwarded = section.raw("forward-headers") == null ? TRACING : section.list("forward-headers");
        forwarded.forEach(name -> HeaderRules.requireName(section.key("forward-headers"), name));
        return new Route.Headers(fixed, forwarded);
    }

    private static Map<String, String> retry(SettingSection section) {
        Map<String, String> settings = new LinkedHashMap<>();
        SettingSection.mapping(section.key("retry"), section.raw("retry"))
                .forEach((key, value) -> settings.put(key, String.valueOf(value)));
        try {
            Presets.WEBHOOK.with(settings);
        } catch (SettingException e) {
            throw e.under(section.key("retry") + ".");
        }
        return settings;
    }
}
