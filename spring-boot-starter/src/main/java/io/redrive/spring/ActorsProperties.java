package io.redrive.spring;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of actors. Pekko's own settings are read from Spring's environment too, below {@code pekko}, and override Pekko's
 * {@code application.conf}.
 *
 * @param enabled whether the application gets an actor system
 * @param systemName the name of the actor system, the same on all nodes of a cluster; the application's name by default
 * @param askTimeout how long an ask waits for the answer
 * @param stopLimit how long the application waits at its end for actors to stop
 */
@ConfigurationProperties("redrive.actors")
public record ActorsProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable String systemName,
        @DefaultValue("5s") Duration askTimeout,
        @DefaultValue("20s") Duration stopLimit) {

    /**
     * Returns the name of the actor system: the one that was set, or else the name of the application with other characters than
     * letters, digits, hyphens and underscores replaced.
     */
    public String systemNameFor(String application) {
        if (systemName != null) {
            return systemName;
        }
        String usable = application.replaceAll("[^a-zA-Z0-9_-]", "-").replaceFirst("^[_-]+", "");
        return usable.isEmpty() ? "redrive" : usable;
    }
}
