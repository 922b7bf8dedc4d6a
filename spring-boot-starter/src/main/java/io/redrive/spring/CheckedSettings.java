package io.redrive.spring;

import io.redrive.core.SettingException;
import io.redrive.core.Time;
import java.util.List;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.ConfigurableEnvironment;

/** Checks all settings below {@code redrive} without opening a store and without starting a pipeline. */
public final class CheckedSettings {

    private CheckedSettings() {}

    /**
     * Reads the settings of an environment as an application does at its start.
     *
     * @throws SettingException for the first unknown key or refused value
     */
    public static RedriveProperties of(ConfigurableEnvironment environment) {
        SettingsSource source = new SettingsSource(environment);
        RedriveProperties properties = source.read();
        RedriveSettings settings = new RedriveSettings(source, Time.system(), List.of());
        properties.pipeline().toProfile();
        properties.alerts().toThresholds();
        properties.automaticRedrive().redrive();
        properties.store().maxPayloadBytes();
        properties
                .events()
                .budgets()
                .forEach((pattern, name) -> OptionalSetting.withKey(
                        SettingPath.below("redrive.events.budgets", pattern), name, () -> settings.budget(name)));
        return properties;
    }

    /**
     * Reads further settings directly below {@code redrive}, those of a {@link SettingGroup}.
     *
     * @throws SettingException when a value has another type
     */
    public static <T extends Record> T bind(ConfigurableEnvironment environment, Class<T> type) {
        try {
            return Binder.get(environment).bindOrCreate("redrive", type);
        } catch (BindException e) {
            throw SettingsSource.refusal(e);
        }
    }
}
