package io.redrive.server.config;

import io.redrive.events.redaction.Redaction;
import io.redrive.pipeline.LetterRetention;
import io.redrive.spring.CheckedSettings;
import io.redrive.spring.RedriveProperties;
import java.util.List;
import java.util.Optional;
import org.springframework.core.env.ConfigurableEnvironment;

/** Redaction and retention of dead letters, which follow the configuration file. Thread-safe. */
public final class LiveLetterRules implements LiveSettings {

    private volatile Rules rules;

    private record Rules(Redaction redaction, Optional<LetterRetention> retention) {

        static Rules of(RedriveProperties properties) {
            return new Rules(
                    properties.redaction().toRedaction(), properties.retention().toRetention());
        }
    }

    /** Begins with the settings at the start. */
    public LiveLetterRules(RedriveProperties properties) {
        rules = Rules.of(properties);
    }

    /** Returns the redaction in force. */
    public Redaction redaction() {
        return rules.redaction();
    }

    /** Returns the retention in force; empty when letters are kept for ever. */
    public Optional<LetterRetention> retention() {
        return rules.retention();
    }

    @Override
    public List<String> keys() {
        return List.of("redrive.redaction", "redrive.retention");
    }

    @Override
    public void use(ConfigurableEnvironment environment) {
        rules = Rules.of(CheckedSettings.of(environment));
    }
}
