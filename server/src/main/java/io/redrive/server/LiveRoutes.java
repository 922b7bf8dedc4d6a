package io.redrive.server;

import io.redrive.core.SettingException;
import io.redrive.server.config.LiveSettings;
import io.redrive.server.webhook.BoundWebhooks;
import io.redrive.server.webhook.Webhooks;
import java.util.List;
import org.springframework.core.env.ConfigurableEnvironment;

/** The routes and receivers, which follow the configuration file. */
final class LiveRoutes implements LiveSettings {

    private final Webhooks webhooks;

    LiveRoutes(Webhooks webhooks) {
        this.webhooks = webhooks;
    }

    @Override
    public List<String> keys() {
        return List.of("redrive.routes", "redrive.receive");
    }

    @Override
    public void use(ConfigurableEnvironment environment) {
        try {
            webhooks.use(BoundWebhooks.read(environment));
        } catch (SettingException e) {
            throw e.under("redrive.");
        }
    }
}
