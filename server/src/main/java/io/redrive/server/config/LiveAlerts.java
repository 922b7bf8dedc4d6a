package io.redrive.server.config;

import io.redrive.pipeline.AlertThresholds;
import io.redrive.pipeline.ThresholdsInForce;
import io.redrive.spring.CheckedSettings;
import io.redrive.spring.RedriveProperties;
import java.util.List;
import org.springframework.core.env.ConfigurableEnvironment;

/** The alert thresholds, which follow the configuration file. Thread-safe. */
public final class LiveAlerts implements LiveSettings, ThresholdsInForce {

    private volatile AlertThresholds inForce;

    /** Begins with the settings at the start. */
    public LiveAlerts(RedriveProperties properties) {
        inForce = properties.alerts().toThresholds();
    }

    @Override
    public AlertThresholds get() {
        return inForce;
    }

    @Override
    public List<String> keys() {
        return List.of("redrive.alerts");
    }

    @Override
    public void use(ConfigurableEnvironment environment) {
        inForce = CheckedSettings.of(environment).alerts().toThresholds();
    }
}
