package io.redrive.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Reason;
import io.redrive.events.AttemptRecord;
import io.redrive.events.Attempts;
import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetters;
import io.redrive.events.Event;
import io.redrive.events.LetterFilter;
import io.redrive.events.LetterGroup;
import io.redrive.events.PublishResult;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The letters of {@link ExpectedStore}: learns from the store only the ids of new letters. */
final class ExpectedLetters {

    /** The history of an event before its current life; {@code publication} is zero for an imported letter. */
    record Past(long publication, Optional<byte[]> originalPayload, int redrives, int automaticRedrives) {

        static Past firstLife(long publication) {
            return new Past(publication, Optional.empty(), 0, 0);
        }
    }

    /** A letter and the publication of its event. */
    record Kept(DeadLetter letter, long publication) {

        Past nextLife(boolean automatic) {
            return new Past(
                    publication,
                    letter.originalPayload(),
                    letter.redrives() + 1,
                    letter.automaticRedrives() + (automatic ? 1 : 0));
        }

        Kept with(DeadLetter other) {
            return new Kept(other, publication);
        }

        EventKey key() {
            return EventKey.of(letter.event());
        }
    }

    /** A letter without its id, comparable. */
    private record Content(
            Event event,
            Optional<String> originalPayload,
            Reason reason,
            List<String> error,
            Attempts attempts,
            List<Integer> redrives,
            Instant deadAt,
            List<AttemptRecord> history) {

        static Content of(DeadLetter letter) {
            return new Content(
                    letter.event(),
                    letter.originalPayload().map(bytes -> new String(bytes, StandardCharsets.UTF_8)),
                    letter.reason(),
                    List.of(letter.errorType(), letter.lastError(), letter.fingerprint(), letter.service()),
                    letter.attempts(),
                    List.of(letter.redrives(), letter.automaticRedrives()),
                    letter.deadAt(),
                    letter.history());
        }
    }

    private final TreeMap<Long, Kept> letters = new TreeMap<>();
    /** Letters with ids still unknown. */
    private final List<Kept> unnumbered = new ArrayList<>();

    private long lastId;

    void died(DeadLetter letter, Past past) {
        unnumbered.add(new Kept(letter, past.publication()));
    }

    /** The answer to publishing an event whose key is known. */
    PublishResult duplicate(EventKey key) {
        return letters.descendingMap().values().stream()
                .filter(kept -> kept.key().equals(key))
                .findFirst()
                .map(kept -> PublishResult.duplicateOf(kept.letter.id()))
                .orElse(PublishResult.DUPLICATE);
    }

    /** Returns how many of the letters a store takes over. */
    int importLetters(List<DeadLetter> imported) {
        int taken = 0;
        for (DeadLetter letter : imported) {
            EventKey key = EventKey.of(letter.event());
            if (Stream.concat(letters.values().stream(), unnumbered.stream())
                    .noneMatch(kept -> kept.key().equals(key))) {
                unnumbered.add(new Kept(letter, 0));
                taken++;
            }
        }
        return taken;
    }

    /** Finds the ids of new letters in the store, which must have exactly the expected letters. */
    void learnIds(DeadLetters store) {
        List<DeadLetter> found = store.listWithHistory(LetterFilter.ALL, lastId, DeadLetters.MAX_PAGE);
        assertThat(found.stream().map(Content::of))
                .as("new letters")
                .containsExactlyInAnyOrderElementsOf(
                        unnumbered.stream().map(kept -> Content.of(kept.letter)).toList());
        for (DeadLetter letter : found) {
            Kept kept = unnumbered.stream()
                    .filter(each -> Content.of(each.letter).equals(Content.of(letter)))
                    .findFirst()
                    .orElseThrow();
            unnumbered.remove(kept);
            letters.put(letter.id(), kept.with(letter));
            lastId = letter.id();
        }
    }

    long count() {
        return letters.size() + unnumbered.size();
    }

    List<Long> ids() {
        return List.copyOf(letters.keySet());
    }

    List<DeadLetter> selected(LetterFilter filter) {
        return letters.values().stream()
                .map(Kept::letter)
                .filter(filter::matches)
                .toList();
    }

    /** Removes the first letters selected by the filter. */
    List<Kept> remove(LetterFilter filter, int limit) {
        return selected(filter).stream()
                .limit(limit)
                .map(letter -> letters.remove(letter.id()))
                .toList();
    }

    /** Returns false when the letter does not exist. */
    boolean edit(long id, byte[] payload) {
        Kept kept = letters.get(id);
        if (kept == null) {
            return false;
        }
        DeadLetter before = kept.letter;
        Event event = before.event();
        DeadLetter edited = new DeadLetter(
                id,
                event.toBuilder().payload(payload, event.contentType()).build(),
                before.originalPayload().or(() -> Optional.of(event.payload())),
                before.reason(),
                before.errorType(),
                before.lastError(),
                before.fingerprint(),
                before.service(),
                before.attempts(),
                before.redrives(),
                before.automaticRedrives(),
                before.deadAt(),
                before.history());
        letters.put(id, kept.with(edited));
        return true;
    }

    /** Compares every read of the letters of this filter. */
    void check(DeadLetters store, LetterFilter filter) {
        List<DeadLetter> expected = selected(filter);
        List<Long> ids = expected.stream().map(DeadLetter::id).toList();
        List<DeadLetter> found = store.listWithHistory(filter, 0, DeadLetters.MAX_PAGE);
        assertThat(found.stream().map(DeadLetter::id))
                .as("letters of %s", filter)
                .isEqualTo(ids);
        assertThat(found.stream().map(Content::of))
                .isEqualTo(expected.stream().map(Content::of).toList());
        assertThat(store.count(filter)).as("count of %s", filter).isEqualTo(ids.size());
        int page = ids.size() / 2 + 1;
        assertThat(store.list(filter, 0, page).stream().map(DeadLetter::id))
                .as("first page of %s", filter)
                .isEqualTo(ids.subList(0, Math.min(page, ids.size())));
        assertThat(store.newest(filter, Long.MAX_VALUE, page).stream().map(DeadLetter::id))
                .as("newest of %s", filter)
                .isEqualTo(expected.stream()
                        .sorted((one, other) -> Long.compare(other.id(), one.id()))
                        .limit(page)
                        .map(DeadLetter::id)
                        .toList());
        checkGroups(store.groups(filter, DeadLetters.MAX_PAGE), expected);
    }

    private static void checkGroups(List<LetterGroup> groups, List<DeadLetter> letters) {
        Map<String, List<DeadLetter>> byCause =
                letters.stream().collect(Collectors.groupingBy(DeadLetter::fingerprint));
        assertThat(groups.stream().map(LetterGroup::fingerprint)).containsExactlyInAnyOrderElementsOf(byCause.keySet());
        for (LetterGroup group : groups) {
            List<DeadLetter> alike = byCause.getOrDefault(group.fingerprint(), List.of());
            assertThat(group.count()).isEqualTo(alike.size());
            assertThat(group.names())
                    .isEqualTo(alike.stream()
                            .map(letter -> letter.event().name())
                            .distinct()
                            .sorted()
                            .toList());
            List<Instant> times =
                    alike.stream().map(DeadLetter::deadAt).sorted().toList();
            assertThat(List.of(group.firstDead(), group.lastDead()))
                    .isEqualTo(List.of(times.get(0), times.get(times.size() - 1)));
        }
    }
}
