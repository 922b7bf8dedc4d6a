package io.redrive.kafka;

import io.redrive.core.Time;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.UnreleasedInstanceIdException;
import org.jspecify.annotations.Nullable;

/**
 * Explains why a consumer ended. A new consumer starts a second later, so the same cause would fill the log: each cause is logged once
 * until the group has assigned partitions again, and then once a minute. Used by the thread of the intake alone.
 */
final class ConsumerFailures {

    private static final Logger LOG = System.getLogger(ConsumerFailures.class.getName());
    private static final Duration AGAIN = Duration.ofMinutes(1);

    private final FlowSettings settings;
    private final Time time;
    private String last = "";
    private Instant logged = Instant.MIN;

    ConsumerFailures(FlowSettings settings, Time time) {
        this.settings = settings;
        this.time = time;
    }

    void report(Throwable failure) {
        String message = explain(failure);
        Instant now = time.now();
        if (message.equals(last) && now.isBefore(logged.plus(AGAIN))) {
            return;
        }
        last = message;
        logged = now;
        if (isKnown(failure)) {
            LOG.log(Level.WARNING, message);
        } else {
            LOG.log(Level.WARNING, message, failure);
        }
    }

    /** The group has assigned partitions: a later failure is a new one. */
    void recovered() {
        last = "";
    }

    private static boolean isKnown(Throwable failure) {
        return failure instanceof SecondMemberException
                || failure instanceof UnreleasedInstanceIdException
                || failure instanceof FencedInstanceIdException
                || failure instanceof AuthorizationException
                || failure instanceof AuthenticationException;
    }

    /** Returns subject, cause and remedy. */
    String explain(Throwable failure) {
        String group = "group " + settings.group();
        Object instance = settings.client().getOrDefault(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG, "");
        if (failure instanceof SecondMemberException second) {
            return String.valueOf(second.getMessage());
        }
        if (failure instanceof UnreleasedInstanceIdException) {
            return group + " still has a member with group.instance.id " + instance
                    + ", perhaps of a process that was killed; this member joins when the session of that member ends, after at most "
                    + settings.session().toSeconds()
                    + " s; give each process that runs at the same time an id of its own";
        }
        if (failure instanceof FencedInstanceIdException) {
            return group + " has a second member with group.instance.id " + instance
                    + ", which took the place of this one; give each process an id of its own, or stop one of them";
        }
        if (failure instanceof AuthorizationException) {
            return "the cluster refuses this client: " + failure.getMessage() + "; grant Read on " + group
                    + " and Read and Describe on topics " + settings.sources() + "; the flow tries again every second";
        }
        if (failure instanceof AuthenticationException) {
            return "the cluster refuses the credentials of this client: " + failure.getMessage()
                    + "; check the sasl and ssl settings given with client(…); the flow tries again every second";
        }
        if (failure instanceof LinkageError) {
            return "consumer of " + group + " ended, because a class of this process is missing or broken: " + failure
                    + "; complete the class path and start the process again; until then its records wait in Kafka, and the flow tries"
                    + " again every second";
        }
        @Nullable String message = failure instanceof Error ? null : failure.getMessage();
        return "consumer of " + group + " ended: " + Objects.requireNonNullElse(message, failure.toString())
                + "; a new one starts in a second";
    }
}
