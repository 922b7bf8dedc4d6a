package io.redrive.operations.policy;

import io.redrive.core.RetryPolicy;
import io.redrive.events.NamePattern;
import io.redrive.pipeline.EventPolicies;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A change of the shared settings of one pattern that nobody has saved, seen from one node.
 *
 * @param pattern the names of events
 * @param sharedBefore the shared settings of the pattern now
 * @param sharedAfter the shared settings of the pattern after the change
 * @param before the policies in force on the node now
 * @param after the policies in force on the node after the change
 */
public record PolicyDraft(
        NamePattern pattern,
        Map<String, String> sharedBefore,
        Map<String, String> sharedAfter,
        EventPolicies before,
        EventPolicies after) {

    /** Copies the settings. */
    public PolicyDraft {
        sharedBefore = Map.copyOf(sharedBefore);
        sharedAfter = Map.copyOf(sharedAfter);
    }

    /**
     * Returns the change that {@link EventPolicies#share} would make.
     *
     * @param settings the changed keys: a blank value removes a key, an empty map removes the pattern
     * @param own the policies that the node was started with
     * @param shared the shared settings by pattern, as they are now
     * @throws io.redrive.core.SettingException for an unknown key, or a value that breaks a rule
     */
    public static PolicyDraft of(
            NamePattern pattern,
            Map<String, String> settings,
            EventPolicies own,
            Map<String, Map<String, String>> shared) {
        Map<String, String> before = shared.getOrDefault(pattern.text(), Map.of());
        Map<String, String> after = new LinkedHashMap<>(settings.isEmpty() ? Map.of() : before);
        after.putAll(settings);
        after.values().removeIf(String::isBlank);
        Map<String, Map<String, String>> changed = new TreeMap<>(shared);
        if (after.isEmpty()) {
            changed.remove(pattern.text());
        } else {
            changed.put(pattern.text(), after);
        }
        return new PolicyDraft(pattern, before, after, own.with(shared), own.with(changed));
    }

    /** Returns true when the change would leave every shared setting as it is. */
    public boolean isEmpty() {
        return sharedBefore.equals(sharedAfter);
    }

    /** Returns the policy of the pattern now. */
    public RetryPolicy policyBefore() {
        return before.policyFor(pattern);
    }

    /** Returns the policy of the pattern after the change. */
    public RetryPolicy policyAfter() {
        return after.policyFor(pattern);
    }

    /** Returns true when events of this name may be decided otherwise: no more specific pattern has a policy of its own. */
    public boolean concerns(String name) {
        return pattern.matches(name)
                && (decides(before, name)
                        || decides(after, name)
                        || !before.policyFor(name)
                                .toString()
                                .equals(after.policyFor(name).toString()));
    }

    private boolean decides(EventPolicies policies, String name) {
        Optional<NamePattern> first = policies.all().keySet().stream()
                .filter(each -> each.matches(name))
                .findFirst();
        return first.filter(pattern::equals).isPresent() || !policies.all().containsKey(pattern) && isNextWider(first);
    }

    /** Without a policy of its own, the pattern's names are decided by the pattern that fits them all. */
    private boolean isNextWider(Optional<NamePattern> decider) {
        String aName = pattern.text().replace("*", "any");
        return decider.filter(wider -> wider.matches(aName)).isPresent();
    }
}
