package io.redrive.server.webhook;

import io.redrive.core.RetryBudget;
import io.redrive.core.SettingException;
import io.redrive.core.Time;
import io.redrive.events.EventStore;
import io.redrive.operations.WebhookRoutes;
import io.redrive.pipeline.Pipeline;
import io.redrive.server.webhook.http.AddressGuard;
import io.redrive.server.webhook.http.WebhookClient;
import io.redrive.server.webhook.secret.SecretBox;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;

/**
 * Delivers published events to the destinations of routes: connects the parts, adds their handlers to a pipeline, and takes new
 * settings while the pipeline runs. Needs no framework. Thread-safe.
 */
public final class Webhooks implements AutoCloseable {

    private final EventStore store;
    private final Time time;
    private final RouteSecrets secrets;
    private final Destinations destinations;
    private final WebhookClient client;
    private final DestinationHealth health;
    private final ServerRoutes routes;
    private volatile WebhookSettings settings;

    /** What webhooks need from outside of the settings. */
    public record Resources(
            Map<String, String> environment,
            AddressGuard.NameLookup names,
            Optional<SSLContext> tls,
            SecureRandom random,
            Time time) {

        /** Returns the resources of this process. */
        public static Resources ofProcess(Time time) {
            return new Resources(
                    System.getenv(), AddressGuard.NameLookup.SYSTEM, Optional.empty(), new SecureRandom(), time);
        }
    }

    /**
     * Starts the client of destinations.
     *
     * @throws SettingException if signed routes have no key to seal their secrets with
     */
    public Webhooks(EventStore store, WebhookSettings settings, Resources resources) {
        this.store = store;
        this.settings = settings;
        this.time = resources.time();
        secrets = new RouteSecrets(store.notes(), box(settings, resources), resources.random(), time);
        RouteTable table = settings.routes();
        secrets.require(table);
        destinations = new Destinations(table, time);
        client = new WebhookClient(
                new AddressGuard(settings.allowed()), resources.names(), settings.proxy(), resources.tls(), time);
        health = new DestinationHealth(store, time);
        routes = new ServerRoutes(destinations, secrets, client, health, store, time);
    }

    private static Optional<SecretBox> box(WebhookSettings settings, Resources resources) {
        Optional<String> variable = Optional.ofNullable(resources.environment().get(SecretBox.VARIABLE))
                .filter(text -> !text.isBlank());
        return variable.map(text -> SecretBox.of(SecretBox.VARIABLE, text, resources.random()))
                .or(() -> settings.secretsKeyFile()
                        .map(file -> SecretBox.ofFile("webhooks.secrets-key-file", file, resources.random())));
    }

    /** Adds the handlers of delivery and fan-out, and the retry budgets of routes, to a pipeline that is being built. */
    public void addTo(Pipeline.Builder pipeline) {
        RouteTable table = settings.routes();
        if (table.routes().isEmpty()) {
            return;
        }
        FanOut fanOut = new FanOut(destinations::table, store, time);
        table.patterns().forEach(pattern -> pipeline.onBatch(pattern.text(), fanOut));
        pipeline.handle(
                Route.PREFIX + "*",
                new WebhookDelivery(destinations, new RequestMaker(secrets, time), client, health, time));
        table.routes()
                .forEach(route -> route.limits()
                        .retryBudget()
                        .ifPresent(share -> pipeline.budget(
                                route.eventName(),
                                RetryBudget.builder(route.eventName())
                                        .share(share)
                                        .build())));
    }

    /**
     * Uses other settings from the next delivery on. Events of a route that is gone wait until a route of that name is back.
     *
     * @throws SettingException without a change, if the settings need a restart: routes for names that no route had before, a
     *     changed allow-list, proxy, key file, retry policy or retry budget
     */
    public void use(WebhookSettings changed) {
        RouteTable table = changed.routes();
        secrets.require(table);
        Set<String> handled =
                settings.routes().patterns().stream().map(Object::toString).collect(Collectors.toSet());
        boolean covered = table.patterns().stream()
                .allMatch(pattern -> settings.routes().patterns().stream().anyMatch(each -> each.includes(pattern)));
        if (!covered) {
            throw SettingException.of(
                    RouteReader.SECTION, "needs a restart for events that no route had before " + handled, "");
        }
        if (!changed.allowed().toString().equals(settings.allowed().toString())
                || !changed.proxy().equals(settings.proxy())
                || !changed.secretsKeyFile().equals(settings.secretsKeyFile())) {
            throw SettingException.of("webhooks", "needs a restart to change", "");
        }
        if (!changed.policies().equals(settings.policies())
                || !changed.retryBudgets().equals(settings.retryBudgets())) {
            throw SettingException.of(RouteReader.SECTION, "needs a restart to change retry or retry-budget", "");
        }
        destinations.use(table);
        settings = changed;
    }

    /** Returns the receiver with this name. */
    Optional<Receiver> receiver(String name) {
        return Optional.ofNullable(settings.receivers().get(name));
    }

    /** Returns the routes, for the facade of operators. */
    public WebhookRoutes routes() {
        return routes;
    }

    @Override
    public void close() {
        client.close();
    }
}
