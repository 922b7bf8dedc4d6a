package io.redrive.server.config;

import io.redrive.spring.RedriveSettings;
import java.util.List;
import org.springframework.core.env.ConfigurableEnvironment;

/** The policies and budgets of the starter, which follow the configuration file. */
public final class LivePolicies implements LiveSettings {

    private final RedriveSettings settings;

    /** Rebinds these settings. */
    public LivePolicies(RedriveSettings settings) {
        this.settings = settings;
    }

    @Override
    public List<String> keys() {
        return List.of("redrive.policies", "redrive.budgets", "redrive.events.policies");
    }

    @Override
    public void use(ConfigurableEnvironment environment) {
        settings.rebind();
    }
}
