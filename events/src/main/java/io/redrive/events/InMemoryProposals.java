package io.redrive.events;

import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** Proposals of an {@link InMemoryEventStore}. */
final class InMemoryProposals implements Proposals {

    private final TreeMap<Long, StoredProposal> proposals = new TreeMap<>();
    private long lastNumber;

    @Override
    public synchronized Optional<StoredProposal> add(String content) {
        Proposals.requireContent(content);
        if (proposals.values().stream().filter(StoredProposal::open).count() >= MAX_OPEN) {
            return Optional.empty();
        }
        StoredProposal added = new StoredProposal(++lastNumber, true, content, 1);
        proposals.put(added.number(), added);
        List<StoredProposal> beyond =
                proposals.descendingMap().values().stream().skip(MAX_KEPT).toList();
        beyond.stream().filter(each -> !each.open()).forEach(each -> proposals.remove(each.number()));
        return Optional.of(added);
    }

    @Override
    public synchronized Optional<StoredProposal> find(long number) {
        return Optional.ofNullable(proposals.get(number));
    }

    @Override
    public synchronized List<StoredProposal> newest(boolean openOnly, long before, int limit) {
        return proposals.headMap(before, false).descendingMap().values().stream()
                .filter(each -> each.open() || !openOnly)
                .limit(Proposals.requireLimit(limit))
                .toList();
    }

    @Override
    public synchronized boolean write(StoredProposal changed) {
        StoredProposal stored = proposals.get(changed.number());
        if (stored == null || stored.version() != changed.version()) {
            return false;
        }
        proposals.put(
                changed.number(),
                new StoredProposal(changed.number(), changed.open(), changed.content(), changed.version() + 1));
        return true;
    }

    synchronized void clear() {
        proposals.clear();
    }
}
