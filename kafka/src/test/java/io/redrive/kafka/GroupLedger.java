package io.redrive.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.Adoption;
import io.redrive.events.Attempts;
import io.redrive.events.Claim;
import io.redrive.events.Settlement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;

/**
 * What happened to each record of a life, kept apart from the code under test, and the rules of that code:
 *
 * <ul>
 *   <li>A commit covers only records which its process finished, which an earlier commit covered, or which the store adopted.
 *   <li>A commit covers everything that an earlier commit covered, unless the store has it.
 *   <li>A record that a commit covers or the store adopted is not handed to a handler again, until an operator resets its offset.
 *   <li>A place is adopted once, and only by the process that took the partition over last.
 *   <li>With order by key, a record begins after all earlier records of its key have ended.
 *   <li>The last commit has announced each record that a careful owner begins. A confirmed death is a letter.
 *   <li>A record becomes a suspect only when a commit announced the record and two owners of its partition ended uncleanly.
 *   <li>A stored event becomes a suspect only when three processes that had claimed the event ended uncleanly.
 *   <li>Only a record that ends its process is convicted.
 * </ul>
 */
final class GroupLedger {

    private static final int MOST_DEATHS = 12;

    /** A record of a partition. */
    record Place(TopicPartition partition, long offset) {}

    private final Map<TopicPartition, NavigableMap<Long, Optional<String>>> sent = new HashMap<>();
    private final Map<String, Set<Place>> doneBy = new HashMap<>();
    private final Set<Place> ended = new HashSet<>();
    private final Set<Place> acknowledged = new HashSet<>();
    private final Set<Place> adopted = new HashSet<>();
    private final Map<Place, Integer> letters = new HashMap<>();
    private final Map<TopicPartition, Integer> uncleanEnds = new HashMap<>();
    /** Tokens of claims of stored events that ended together with their processes. */
    private final Map<Place, Set<Long>> lostClaims = new HashMap<>();
    /** Records that were suspects before the store had them. */
    private final Set<Place> suspectRecords = new HashSet<>();

    private final Set<Place> announced = new HashSet<>();
    private final Map<TopicPartition, Set<Long>> announcedLast = new HashMap<>();
    private Optional<Place> poison = Optional.empty();
    private int deaths;
    final List<String> story = new ArrayList<>();
    /** Places that an operator reset: a row of the first reading and the record of the second one are two events. */
    private final Set<Place> readAgain = new HashSet<>();
    /** Neither the store nor the broker fails: each process that ends in good order can say so. */
    boolean isCalm;

    void tell(String line) {
        story.add(line);
    }

    void sent(TopicPartition partition, long offset, Optional<String> key) {
        sent.computeIfAbsent(partition, unused -> new TreeMap<>()).put(offset, key);
    }

    private NavigableMap<Long, Optional<String>> log(TopicPartition partition) {
        return sent.computeIfAbsent(partition, unused -> new TreeMap<>());
    }

    /** The process gets a partition and knows nothing of its own earlier work there. */
    void assigned(String process, TopicPartition partition) {
        tell(process + " is assigned " + partition);
        doneBy(process).removeIf(place -> place.partition().equals(partition));
    }

    private Set<Place> doneBy(String process) {
        return doneBy.computeIfAbsent(process, unused -> new HashSet<>());
    }

    void reset(TopicPartition partition, long offset) {
        tell("an operator sets " + partition + " to " + offset);
        log(partition).tailMap(offset, true).keySet().forEach(each -> readAgain.add(new Place(partition, each)));
        for (Set<Place> known : List.of(ended, acknowledged, adopted)) {
            known.removeIf(place -> place.partition().equals(partition) && place.offset() >= offset);
        }
        doneBy.clear();
    }

    /** The topic deleted records below this offset: no process can handle them. */
    void deleted(TopicPartition partition, long below) {
        log(partition)
                .headMap(below, false)
                .keySet()
                .removeIf(offset -> !acknowledged.contains(new Place(partition, offset)));
    }

    /** Each process that handles this record dies, and no process dies otherwise. */
    void poison(TopicPartition partition, long offset) {
        poison = Optional.of(new Place(partition, offset));
        tell("poison is " + poison.get());
    }

    boolean isPoison(Claim claim) {
        return poison.isPresent() && poison.get().equals(placeOf(claim));
    }

    void diesOfPoison() {
        assertThat(++deaths).as("processes that one record ended").isLessThanOrEqualTo(MOST_DEATHS);
    }

    void committed(String process, TopicPartition partition, Progress progress) {
        progress.announced().forEach(offset -> announced.add(new Place(partition, offset)));
        announcedLast.put(partition, progress.announced());
        tell(process + " commits " + partition + " at " + progress.watermark() + " and " + progress.finished());
        Set<Place> covered = new HashSet<>();
        log(partition)
                .headMap(progress.watermark(), false)
                .keySet()
                .forEach(offset -> covered.add(new Place(partition, offset)));
        progress.finished().stream()
                .filter(log(partition)::containsKey)
                .forEach(offset -> covered.add(new Place(partition, offset)));
        for (Place place : covered) {
            assertThat(acknowledged.contains(place)
                            || adopted.contains(place)
                            || doneBy(process).contains(place))
                    .as("a commit covers only finished records: " + place)
                    .isTrue();
        }
        for (Place place : acknowledged) {
            if (place.partition().equals(partition)) {
                assertThat(covered.contains(place) || adopted.contains(place))
                        .as("a commit forgets no finished record: " + place)
                        .isTrue();
            }
        }
        acknowledged.addAll(covered);
    }

    void adopted(TopicPartition partition, Collection<Adoption> all, Set<Long> fresh) {
        for (Adoption adoption : all) {
            Place place = new Place(partition, adoption.place());
            if (fresh.contains(adoption.place())) {
                tell("the store adopts " + place + " "
                        + adoption.settlement().getClass().getSimpleName());
                assertThat(adopted.add(place))
                        .as("a place is adopted once: " + place)
                        .isTrue();
                if (adoption.settlement().claim().isSuspect()) {
                    suspectRecord(place);
                }
                if (adoption.settlement() instanceof Settlement.Dead) {
                    letters.merge(place, 1, Integer::sum);
                    ended.add(place);
                }
            }
        }
    }

    private void suspectRecord(Place place) {
        suspectRecords.add(place);
        assertThat(announced).as("a suspect was announced").contains(place);
        if (isCalm) {
            assertThat(uncleanEnds.getOrDefault(place.partition(), 0))
                    .as("suspects need two owners that ended uncleanly")
                    .isGreaterThanOrEqualTo(2);
        }
    }

    /** A process died, or was silent for so long that the group expelled it. */
    void endedUncleanly(Collection<TopicPartition> owned, Collection<Claim> claims) {
        owned.forEach(partition -> uncleanEnds.merge(partition, 1, Integer::sum));
        lost(claims);
    }

    /** A process will never settle these claims. */
    void lost(Collection<Claim> claims) {
        claims.stream()
                .filter(claim -> !OwnedPartitions.isOurs(claim.token()))
                .forEach(claim -> lostClaims
                        .computeIfAbsent(placeOf(claim), unused -> new HashSet<>())
                        .add(claim.token()));
    }

    static Place placeOf(Claim claim) {
        String[] parts = claim.event().id().split("-");
        return new Place(new TopicPartition(parts[0], Integer.parseInt(parts[1])), Long.parseLong(parts[2]));
    }

    /**
     * A claim reaches a process.
     *
     * @param others the other claims that living processes hold
     */
    void begins(Claim claim, Collection<Claim> others, boolean isOrdered) {
        Place place = placeOf(claim);
        boolean isRecord = OwnedPartitions.isOurs(claim.token());
        if (isRecord) {
            assertThat(acknowledged.contains(place) || adopted.contains(place))
                    .as("a finished record begins again: " + place)
                    .isFalse();
        } else if (!readAgain.contains(place)) {
            assertThat(ended.contains(place) && adopted.contains(place) && letters.containsKey(place))
                    .as("a dead event begins again: " + place)
                    .isFalse();
        }
        if (poison.isPresent() && claim.attempts().crashed() > Attempts.CRASHES_OF_A_SUSPECT) {
            assertThat(poison).as("an innocent record is never convicted").contains(place);
        }
        // Any process may claim a stored event. So the ends of these processes count here, and not the ends of the
        // partition's owners.
        if (claim.isSuspect() && isCalm && !suspectRecords.contains(place)) {
            assertThat(lostClaims.getOrDefault(place, Set.of()))
                    .as("stored suspects need three processes that ended uncleanly: " + place)
                    .hasSizeGreaterThanOrEqualTo(Attempts.CRASHES_OF_A_SUSPECT);
        }
        if (isOrdered) {
            inOrder(place, others);
        }
    }

    /** A careful owner begins a record. */
    void beginsCarefully(Claim claim) {
        Place place = placeOf(claim);
        assertThat(announcedLast.getOrDefault(place.partition(), Set.of()))
                .as("the broker knows of each record that a careful owner begins")
                .contains(place.offset());
    }

    /** The flow has taken the death of a record, and did not call it stale. */
    void confirmedDead(Claim claim) {
        assertThat(letters).as("a confirmed death is a letter").containsKey(placeOf(claim));
    }

    /** A process never has two handlers for one record, not even when the record's partition left and came back meanwhile. */
    void beginsAlone(Claim claim, Collection<Claim> own) {
        // A row may come from the next owner of a partition whose handler still runs here.
        if (readAgain.contains(placeOf(claim)) || !OwnedPartitions.isOurs(claim.token())) {
            return;
        }
        for (Claim other : own) {
            assertThat(placeOf(other))
                    .as("one handler of a process for a record")
                    .isNotEqualTo(placeOf(claim));
        }
    }

    private void inOrder(Place place, Collection<Claim> others) {
        Optional<String> key = log(place.partition()).get(place.offset());
        for (Map.Entry<Long, Optional<String>> earlier :
                log(place.partition()).headMap(place.offset(), false).entrySet()) {
            if (earlier.getValue().equals(key)) {
                assertThat(ended.contains(new Place(place.partition(), earlier.getKey())))
                        .as("the record at " + earlier.getKey() + " of the same key ends before " + place)
                        .isTrue();
            }
        }
        for (Claim other : others) {
            Place theirs = placeOf(other);
            boolean sameKey = theirs.partition().equals(place.partition())
                    && log(theirs.partition()).get(theirs.offset()).equals(key);
            assertThat(sameKey && !theirs.equals(place))
                    .as("one event of a key at a time: " + theirs + " and " + place)
                    .isFalse();
        }
    }

    void done(String process, Claim claim) {
        Place place = placeOf(claim);
        ended.add(place);
        if (OwnedPartitions.isOurs(claim.token())) {
            doneBy(process).add(place);
        }
    }

    void dead(Claim claim) {
        ended.add(placeOf(claim));
        letters.merge(placeOf(claim), 1, Integer::sum);
    }

    int letters() {
        return letters.values().stream().mapToInt(Integer::intValue).sum();
    }

    void checkEnd() {
        sent.forEach((partition, log) -> log.keySet()
                .forEach(offset -> assertThat(ended).as("every record ends").contains(new Place(partition, offset))));
    }
}
