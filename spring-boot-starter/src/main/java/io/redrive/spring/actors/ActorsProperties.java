package io.redrive.spring.actors;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of actors. Pekko's own are read from the same place, under {@code pekko}, and override those of its
 * {@code application.conf}.
 *
 * @param enabled whether there is an actor system
 * @param systemName the name of the actor system, the same on all nodes of a cluster; the application's name by default
 * @param askTimeout how long an answer is waited for
 * @param stopLimit how long a stop waits for actors to end
 */
@ConfigurationProperties("redrive.actors")
public record ActorsProperties(
        @DefaultValue("true") boolean enabled,
        String systemName,
        @DefaultValue("5s") Duration askTimeout,
        @DefaultValue("20s") Duration stopLimit) {

    /** Pekko takes letters, digits, hyphens and underscores, and begins with one of the first two. */
    String systemNameFor(String application) {
        if (systemName != null) {
            return systemName;
        }
        String usable = application.replaceAll("[^a-zA-Z0-9_-]", "-").replaceFirst("^[_-]+", "");
        return usable.isEmpty() ? "redrive" : usable;
    }
}
