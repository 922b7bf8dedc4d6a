package io.redrive.testkit;

import io.redrive.events.Proposals;
import java.util.List;
import java.util.Optional;

/** Passes each call on to the proposals of a store. */
record ForwardedProposals(Proposals target, ForwardedCall through) implements Proposals {

    @Override
    public Optional<StoredProposal> add(String content) {
        return through.forward("add proposal", () -> target.add(content));
    }

    @Override
    public Optional<StoredProposal> find(long number) {
        return through.forward("find proposal", () -> target.find(number));
    }

    @Override
    public List<StoredProposal> newest(boolean openOnly, long before, int limit) {
        return through.forward("list proposals", () -> target.newest(openOnly, before, limit));
    }

    @Override
    public boolean write(StoredProposal changed) {
        return through.forward("write proposal", () -> target.write(changed));
    }
}
