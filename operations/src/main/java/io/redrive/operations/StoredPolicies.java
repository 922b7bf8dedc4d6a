package io.redrive.operations;

import io.redrive.events.NamePattern;
import io.redrive.events.OperatorCommand;
import io.redrive.operations.policy.PolicyDraft;
import io.redrive.operations.policy.PolicyReplay;
import io.redrive.pipeline.EventPolicies;
import java.util.Map;

/** {@link PolicyOperations} on a store. */
final class StoredPolicies implements PolicyOperations {

    private final Desk desk;

    StoredPolicies(Desk desk) {
        this.desk = desk;
    }

    @Override
    public Map<String, Map<String, String>> shared() {
        return EventPolicies.shared(desk.read().notes());
    }

    @Override
    public PolicyReplay replay(PolicyDraft draft) {
        return PolicyReplay.of(FailureSampler.read(desk.read(), draft, desk.now()), draft);
    }

    @Override
    public void change(NamePattern pattern, Map<String, String> settings) {
        OperatorCommand command = desk.command(Verb.CHANGE_POLICY, pattern.text());
        EventPolicies.share(Map.of(pattern.text(), settings), desk.store().notes());
        desk.record(command, Verb.CHANGE_POLICY, settings.isEmpty() ? "removed" : settings.toString());
    }
}
