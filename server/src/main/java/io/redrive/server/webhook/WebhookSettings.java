package io.redrive.server.webhook;

import io.redrive.core.SettingException;
import io.redrive.server.webhook.http.Cidr;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The sections {@code webhooks}, {@code routes} and {@code receive} of the configuration. Immutable; {@code toString} shows no
 * secret.
 */
public final class WebhookSettings {

    /** The names of the sections. */
    public static final List<String> SECTIONS = List.of("webhooks", RouteReader.SECTION, ReceiverReader.SECTION);

    private static final Set<String> KEYS = Set.of("allow", "proxy", "secrets-key-file");

    private final List<Cidr> allowed;
    private final Optional<URI> proxy;
    private final Optional<Path> secretsKeyFile;
    private final Map<String, Route> routes;
    private final Map<String, Receiver> receivers;

    private WebhookSettings(SettingSection section, Map<String, Route> routes, Map<String, Receiver> receivers) {
        allowed = ranges(section);
        proxy = section.text("proxy").map(text -> proxy(section.key("proxy"), text));
        secretsKeyFile = section.text("secrets-key-file").map(Path::of);
        this.routes = routes;
        this.receivers = receivers;
    }

    /**
     * Reads the sections. A missing section is empty.
     *
     * @param sections the values of the sections by name, as YAML reads them
     * @throws SettingException for an unknown key or a bad value, with key, rule and value
     */
    public static WebhookSettings read(Map<String, ?> sections) {
        return new WebhookSettings(
                SettingSection.of("webhooks", value(sections, "webhooks"), KEYS),
                RouteReader.read(value(sections, RouteReader.SECTION)),
                ReceiverReader.read(value(sections, ReceiverReader.SECTION)));
    }

    /**
     * Returns the retry settings of the delivery events by name pattern, with the keys of event policies: the preset
     * {@code webhook} for all routes, and the settings of single routes.
     */
    public Map<String, Map<String, String>> policies() {
        Map<String, Map<String, String>> policies = new LinkedHashMap<>();
        policies.put(Route.PREFIX + "*", Map.of("preset", "webhook"));
        routes.values().stream()
                .filter(route -> !route.retry().isEmpty())
                .forEach(route -> policies.put(route.eventName(), route.retry()));
        return policies;
    }

    /** Returns the retry budgets by route. */
    Map<String, Double> retryBudgets() {
        Map<String, Double> budgets = new LinkedHashMap<>();
        routes.values()
                .forEach(route -> route.limits().retryBudget().ifPresent(share -> budgets.put(route.name(), share)));
        return budgets;
    }

    List<Cidr> allowed() {
        return allowed;
    }

    Optional<URI> proxy() {
        return proxy;
    }

    Optional<Path> secretsKeyFile() {
        return secretsKeyFile;
    }

    RouteTable routes() {
        return new RouteTable(routes.values());
    }

    Map<String, Receiver> receivers() {
        return receivers;
    }

    @Override
    public String toString() {
        return "routes " + routes.keySet() + ", receivers " + receivers.keySet();
    }

    private static @Nullable Object value(Map<String, ?> sections, String name) {
        return sections.get(name);
    }

    private static List<Cidr> ranges(SettingSection section) {
        List<Cidr> ranges = new ArrayList<>();
        for (String text : section.list("allow")) {
            try {
                ranges.add(Cidr.parse(text));
            } catch (IllegalArgumentException e) {
                throw SettingException.because(section.key("allow"), text, e);
            }
        }
        return ranges;
    }

    private static URI proxy(String key, String text) {
        try {
            URI proxy = new URI(text);
            if ("http".equals(proxy.getScheme()) && proxy.getHost() != null && proxy.getRawUserInfo() == null) {
                return proxy;
            }
        } catch (URISyntaxException e) {
            throw SettingException.of(key, "must be an address such as http://proxy.example.com:3128", "(hidden)");
        }
        throw SettingException.of(key, "must be an address such as http://proxy.example.com:3128", "(hidden)");
    }
}
