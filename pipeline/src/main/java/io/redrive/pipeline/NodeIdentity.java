package io.redrive.pipeline;

import io.redrive.events.cause.ServiceVersion;
import java.util.Optional;

/** The names of a node and its service in the store, and the version of the service; empty when unknown. */
record NodeIdentity(String node, String service, Optional<ServiceVersion> version) {

    /** The version in the manifest of the jar that has this handler; empty for handlers of Redrive itself. */
    static Optional<ServiceVersion> versionOf(Object handler) {
        Class<?> type = handler.getClass();
        String version = type.getPackage().getImplementationVersion();
        return version == null || type.getName().startsWith("io.redrive.")
                ? Optional.empty()
                : ServiceVersion.parse(version);
    }
}
