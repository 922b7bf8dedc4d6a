package io.redrive.operations;

import io.redrive.core.RetryPolicy;
import io.redrive.events.NamePattern;
import io.redrive.operations.policy.PolicyDraft;
import io.redrive.operations.policy.PolicyReplay;
import io.redrive.pipeline.EventPolicies;
import java.util.Map;

/**
 * What an operator may know and do about the retry policies of events. Shared settings lie in the store and change the policies of
 * all nodes, within about a second. Thread-safe.
 */
public interface PolicyOperations {

    /** Returns the shared settings by pattern. */
    Map<String, Map<String, String>> shared();

    /**
     * Returns the policies in force on a node: its own policies, changed by the shared settings.
     *
     * @param own the policies that the node was started with, for example {@link EventPolicies#defaults()}
     */
    default EventPolicies inForce(EventPolicies own) {
        return own.with(shared());
    }

    /** Returns the policy in force for an event name; {@link RetryPolicy#explain()} tells its schedule. */
    default RetryPolicy policyOf(String eventName, EventPolicies own) {
        return inForce(own).policyFor(eventName);
    }

    /**
     * Returns what a draft would have done to the failures of the last day. Reads at most 1,000 dead letters and 1,000 finished events;
     * {@link PolicyReplay#sample} tells how much of the day they are. Changes nothing.
     *
     * @throws IllegalStateException when these operations have no store to read failures from
     */
    default PolicyReplay replay(PolicyDraft draft) {
        throw new IllegalStateException("these operations cannot read past failures; replay where the store is");
    }

    /**
     * Changes the shared settings of a pattern. Settings change only the keys they name: a blank value removes a key, an empty map
     * removes the pattern.
     *
     * @param settings keys of {@link RetryPolicy#fromMap}
     * @throws io.redrive.core.SettingException for an unknown key or a bad value; nothing was changed
     */
    void change(NamePattern pattern, Map<String, String> settings);
}
