package io.redrive.operations.policy;

import io.redrive.core.RetryPolicy;
import io.redrive.events.NamePattern;
import io.redrive.pipeline.EventPolicies;
import java.util.List;
import java.util.Map;

/**
 * The policy of a pattern on one node, and where the policy comes from.
 *
 * @param pattern the names of events
 * @param policy the policy in force
 * @param origin who set the policy
 * @param shared the settings that an operator shared for this pattern; empty unless the origin is {@link Origin#SHARED}
 */
public record PolicyInForce(NamePattern pattern, RetryPolicy policy, Origin origin, Map<String, String> shared) {

    /** Who set a policy. */
    public enum Origin {
        /** Redrive's own default. */
        DEFAULT,
        /** The file, the environment or the code of the node. */
        NODE,
        /** An operator, for all nodes of the store. */
        SHARED
    }

    /** Copies the settings. */
    public PolicyInForce {
        shared = Map.copyOf(shared);
    }

    /**
     * Returns the policies of a node, the most specific pattern first.
     *
     * @param own the policies that the node was started with
     * @param shared the shared settings by pattern
     * @throws io.redrive.core.SettingException if the shared settings break a rule together with the node's own: then the node keeps its
     *     own policies
     */
    public static List<PolicyInForce> all(EventPolicies own, Map<String, Map<String, String>> shared) {
        return own.with(shared).all().entrySet().stream()
                .map(entry -> of(
                        entry.getKey(),
                        entry.getValue(),
                        own,
                        shared.getOrDefault(entry.getKey().text(), Map.of())))
                .toList();
    }

    private static PolicyInForce of(
            NamePattern pattern, RetryPolicy policy, EventPolicies own, Map<String, String> settings) {
        if (!settings.isEmpty()) {
            return new PolicyInForce(pattern, policy, Origin.SHARED, settings);
        }
        // Settings make a new policy object, also with the values of the default.
        boolean untouched =
                own.all().get(pattern) == EventPolicies.defaults().all().get(pattern);
        return new PolicyInForce(pattern, policy, untouched ? Origin.DEFAULT : Origin.NODE, Map.of());
    }
}
