package io.redrive.kafka;

import io.redrive.events.Attempts;
import io.redrive.events.ClaimFilter;
import io.redrive.events.Event;
import io.redrive.events.Lane;
import io.redrive.kafka.BookedRecord.State;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The records of one partition from the watermark on, and where each of them is: ready, behind its key, claimed, held or
 * finished. Pure: no clock, no threads, no client of Kafka. Not thread-safe.
 *
 * <p>The watermark is the first delivered offset that is not finished, and without open records the next offset to deliver. The
 * book counts delivered offsets and no ranges of offsets: compaction and transactions leave gaps that are never delivered, and an
 * offset that was not delivered yet must not count as finished.
 *
 * <p>Finished offsets of the owner before, which this owner has not been delivered yet, stay in the progress until the delivery
 * reaches them. Without this rule, the first commit of a new owner would forget what the owner before finished.
 */
final class PartitionBook {

    /** Delivered records from the first open record on, in the order of their offsets. */
    private final Deque<BookedRecord> delivered = new ArrayDeque<>();

    private final Inheritance inheritance;

    /** Ready records, by the ordinal of the lane. */
    private final List<Deque<BookedRecord>> ready = new ArrayList<>();

    private final StrayRecords strays = new StrayRecords();

    private final PriorityQueue<BookedRecord> held =
            new PriorityQueue<>(Comparator.<BookedRecord, Instant>comparing(record -> record.due())
                    .thenComparingLong(record -> record.offset));
    /** The open records of each ordering key. The first record may be claimed, unless the store has events of the key. */
    private final Map<String, Deque<BookedRecord>> lines = new HashMap<>();
    /** Keys with unfinished events in the store. */
    private final Set<String> storedKeys = new HashSet<>();

    private final Announcements announcements = new Announcements();

    private long next;
    private int open;
    private long openBytes;
    private int finishedSinceCommit;

    /** Continues where the progress of an earlier owner ends; {@code settled} are offsets that the store has adopted. */
    PartitionBook(Progress from, Collection<Long> settled, Collection<String> storedKeys) {
        next = from.watermark();
        inheritance = new Inheritance(from, settled);
        this.storedKeys.addAll(storedKeys);
        for (int lane = 0; lane < Lane.values().length; lane++) {
            ready.add(new ArrayDeque<>());
        }
    }

    /**
     * Takes a delivered record. Offsets below the next expected offset were delivered before and change nothing.
     *
     * @param unreadable why the record breaks the rules of events; null for a good record
     */
    Optional<BookedRecord> deliver(long offset, Event event, @Nullable String unreadable) {
        if (offset < next) {
            return Optional.empty();
        }
        forgetInheritedBelow(offset);
        next = offset + 1;
        if (inheritance.takeFinished(offset)) {
            delivered.addLast(BookedRecord.finishedBefore(this, offset));
            trim();
            return Optional.empty();
        }
        BookedRecord record = new BookedRecord(this, offset, event, unreadable);
        record.attempts(inheritedAttempts(offset));
        delivered.addLast(record);
        open++;
        openBytes += record.size();
        joinLine(record);
        return Optional.of(record);
    }

    private void forgetInheritedBelow(long offset) {
        announcements.forgetUndeliveredBelow(offset);
        inheritance.forgetBelow(offset);
    }

    private Attempts inheritedAttempts(long offset) {
        int failures = inheritance.takeFailures(offset);
        boolean suspect = announcements.delivered(offset);
        return failures == 0 && !suspect
                ? Attempts.NONE
                : new Attempts(failures, 0, suspect ? Attempts.CRASHES_OF_A_SUSPECT : 0);
    }

    /**
     * Tells that the client of Kafka will deliver no offset below this one: the offsets in between are gaps.
     *
     * @return false when the position is below offsets that were delivered before: the log has other records there by now
     */
    boolean reached(long position) {
        if (position > next) {
            forgetInheritedBelow(position);
            next = position;
        }
        return position == next;
    }

    private void joinLine(BookedRecord record) {
        @Nullable String key = record.key();
        if (key == null) {
            queue(record);
            return;
        }
        Deque<BookedRecord> line = lines.computeIfAbsent(key, unused -> new ArrayDeque<>(2));
        line.addLast(record);
        if (line.size() == 1 && !storedKeys.contains(key)) {
            queue(record);
        } else {
            record.become(State.BEHIND_KEY);
        }
    }

    private void queue(BookedRecord record) {
        record.become(State.READY);
        ready.get(record.lane().ordinal()).addLast(record);
        strays.becameReady(record);
    }

    /** Queues a record before the others. */
    private void requeue(BookedRecord record) {
        record.become(State.READY);
        ready.get(record.lane().ordinal()).addFirst(record);
        strays.becameReady(record);
    }

    /**
     * Takes records of a lane that are ready and accepted by the filter, or unreadable, lowest offset first. Records further than {@link
     * Progress#SPAN} above the watermark wait, so that the progress always fits into a commit.
     */
    List<BookedRecord> claim(Lane lane, ClaimFilter filter, int demand, long maxBytes) {
        Deque<BookedRecord> readyInLane = ready.get(lane.ordinal());
        List<BookedRecord> claimed = new ArrayList<>(Math.min(demand, readyInLane.size()));
        long limit = watermark() + Progress.SPAN;
        long bytes = 0;
        NameCheck accepts = new NameCheck(filter::accepts);
        Iterator<BookedRecord> waiting = readyInLane.iterator();
        while (waiting.hasNext() && claimed.size() < demand && bytes < maxBytes) {
            BookedRecord record = waiting.next();
            if (record.offset >= limit || record.attempts().isSuspect() && !record.isUnreadable()) {
                continue;
            }
            if (!record.isUnreadable() && !accepts.test(record.event().name())) {
                announcements.withdraw(record.offset);
            } else if (announcements.mayBegin(record.offset)) {
                waiting.remove();
                record.become(State.CLAIMED);
                claimed.add(record);
                bytes += record.size();
            }
        }
        return claimed;
    }

    /** Takes ready records that no handler of this pipeline accepts, and suspects: both go to the store. */
    List<BookedRecord> claimForStore(ClaimFilter filter, int demand) {
        List<BookedRecord> claimed = new ArrayList<>();
        long limit = watermark() + Progress.SPAN;
        Iterator<BookedRecord> waiting = strays.examine(filter, ready);
        while (waiting.hasNext() && claimed.size() < demand) {
            BookedRecord record = waiting.next();
            if (record.state() != State.READY) {
                waiting.remove();
            } else if (record.offset < limit) {
                waiting.remove();
                ready.get(record.lane().ordinal()).remove(record);
                record.become(State.CLAIMED);
                claimed.add(record);
            }
        }
        return claimed;
    }

    /** Takes records behind stored events of the same key, to be stored behind these events. */
    List<BookedRecord> claimBehindStoredKeys(int demand) {
        List<BookedRecord> claimed = new ArrayList<>();
        long limit = watermark() + Progress.SPAN;
        for (BookedRecord record : delivered) {
            if (claimed.size() == demand || record.offset >= limit) {
                break;
            }
            if (record.state() == State.BEHIND_KEY && storedKeys.contains(record.key()) && !record.isUnreadable()) {
                record.become(State.CLAIMED);
                claimed.add(record);
            }
        }
        return claimed;
    }

    /** A suspect that the store cannot take is handled as a record, or it would stop the partition for good. */
    void acquit(BookedRecord record) {
        record.acquit();
        announcements.finished(record.offset);
    }

    /** The record is done, or the store has it. */
    void finish(BookedRecord record) {
        if (record.state() == State.FINISHED) {
            return;
        }
        record.become(State.FINISHED);
        announcements.finished(record.offset);
        open--;
        openBytes -= record.size();
        finishedSinceCommit++;
        @Nullable String key = record.key();
        if (key != null) {
            leaveLine(record, key);
        }
        trim();
    }

    private void leaveLine(BookedRecord record, String key) {
        @Nullable Deque<BookedRecord> line = lines.get(key);
        if (line == null) {
            return;
        }
        line.remove(record);
        if (line.isEmpty()) {
            lines.remove(key);
        } else {
            advance(key, line);
        }
    }

    private void advance(String key, Deque<BookedRecord> line) {
        BookedRecord first = line.getFirst();
        if (first.state() == State.BEHIND_KEY && !storedKeys.contains(key)) {
            queue(first);
        }
    }

    /** A claimed record waits in memory until {@code due}. */
    void hold(BookedRecord record, Instant due) {
        announcements.withdraw(record.offset);
        record.become(State.HELD);
        record.due(due);
        held.add(record);
    }

    /** A claimed record was not stored: it is ready again, or waits behind its key. */
    void giveBack(BookedRecord record) {
        announcements.withdraw(record.offset);
        @Nullable String key = record.key();
        boolean behind = key != null && (storedKeys.contains(key) || !isFirst(record, key));
        if (behind) {
            record.become(State.BEHIND_KEY);
        } else {
            requeue(record);
        }
    }

    private boolean isFirst(BookedRecord record, String key) {
        @Nullable Deque<BookedRecord> line = lines.get(key);
        return line == null || line.getFirst() == record;
    }

    /** Makes due records ready. Returns true when a held record was due. */
    boolean wakeHeld(Instant now) {
        boolean any = false;
        while (!held.isEmpty() && !held.peek().due().isAfter(now)) {
            BookedRecord record = held.poll();
            requeue(record);
            any = true;
        }
        return any;
    }

    /** The store has an unfinished event of this key from now on: later records of the key wait. */
    void storeHas(String key) {
        storedKeys.add(key);
    }

    /** Returns the keys of waiting records that the store may have finished. */
    Set<String> awaitedKeys(int limit) {
        Set<String> awaited = new HashSet<>();
        for (String key : storedKeys) {
            if (awaited.size() < limit && lines.containsKey(key)) {
                awaited.add(key);
            }
        }
        return awaited;
    }

    /** The store has finished all events of these keys. */
    void storeFinished(Collection<String> keys) {
        storedKeys.removeAll(keys);
        for (String key : keys) {
            @Nullable Deque<BookedRecord> line = lines.get(key);
            if (line != null) {
                advance(key, line);
            }
        }
    }

    private void trim() {
        while (!delivered.isEmpty() && delivered.getFirst().state() == State.FINISHED) {
            delivered.removeFirst();
        }
    }

    /** Returns the lowest offset that the next delivery may have. */
    long next() {
        return next;
    }

    /** Returns the first offset that is not finished. */
    long watermark() {
        return delivered.isEmpty() ? next : delivered.getFirst().offset;
    }

    Progress progress() {
        Progress progress = Progress.at(watermark());
        for (BookedRecord record : delivered) {
            if (record.state() == State.FINISHED) {
                progress.finished().add(record.offset);
            } else if (record.attempts().failed() > 0) {
                progress.failed().put(record.offset, record.attempts().failed());
            }
        }
        inheritance.addTo(progress);
        progress.announced().addAll(announcements.all());
        return progress;
    }

    Announcements announcements() {
        return announcements;
    }

    int finishedSinceCommit() {
        return finishedSinceCommit;
    }

    void commitBegun() {
        finishedSinceCommit = 0;
    }

    int open() {
        return open;
    }

    long openBytes() {
        return openBytes;
    }

    /** Returns the number of keys with an event in the store. */
    int storedKeyCount() {
        return storedKeys.size();
    }

    int heldRecords() {
        return held.size();
    }

    /** Returns true when a record with such a name is ready. */
    boolean hasReady(Predicate<String> name) {
        NameCheck check = new NameCheck(name);
        return ready.stream()
                .anyMatch(lane -> lane.stream()
                        .anyMatch(record -> check.test(record.event().name())));
    }

    /** Returns true when every open record waits behind stored events of its key. */
    boolean isStuckBehindStoredKeys() {
        return open > 0
                && held.isEmpty()
                && delivered.stream()
                        .allMatch(record -> record.state() == State.FINISHED
                                || record.state() == State.BEHIND_KEY && storedKeys.contains(record.key()));
    }
}
