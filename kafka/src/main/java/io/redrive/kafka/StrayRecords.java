package io.redrive.kafka;

import io.redrive.events.ClaimFilter;
import io.redrive.events.NamePattern;
import io.redrive.kafka.BookedRecord.State;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Ready records of a book that no handler accepts, and suspects: both go to the store. Not thread-safe. */
final class StrayRecords {

    /** Records that became ready since the last search. */
    private final List<BookedRecord> unexamined = new ArrayList<>();

    private final Set<BookedRecord> strays = new LinkedHashSet<>();
    private Set<NamePattern> examinedFor = Set.of();

    void becameReady(BookedRecord record) {
        unexamined.add(record);
    }

    /** Looks at the records that became ready since the last call, and at all ready records when the accepted names changed. */
    Iterator<BookedRecord> examine(ClaimFilter filter, Collection<Deque<BookedRecord>> ready) {
        Set<NamePattern> accepted = filter.accepted();
        if (accepted != examinedFor && !accepted.equals(examinedFor)) {
            strays.clear();
            unexamined.clear();
            ready.forEach(unexamined::addAll);
        }
        examinedFor = accepted;
        Predicate<String> matches = name -> accepted.stream().anyMatch(pattern -> pattern.matches(name));
        NameCheck isHandled = new NameCheck(matches);
        for (BookedRecord record : unexamined) {
            if (record.state() == State.READY
                    && !record.isUnreadable()
                    && (!isHandled.test(record.event().name())
                            || record.attempts().isSuspect())) {
                strays.add(record);
            }
        }
        unexamined.clear();
        return strays.iterator();
    }
}
