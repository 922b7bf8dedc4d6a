package io.redrive.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Reason;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.NamePattern;
import io.redrive.events.cause.Care;
import io.redrive.events.cause.Cause;
import io.redrive.events.cause.ServiceVersion;
import io.redrive.events.cause.Sighting;
import io.redrive.events.journal.UnfinishedEvent;
import io.redrive.operations.FoundEvent;
import io.redrive.operations.difference.Difference;
import io.redrive.operations.difference.Share;
import io.redrive.operations.difference.Subject;
import io.redrive.operations.difference.Trait;
import io.redrive.pipeline.Member;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Events, keys and causes in words and on lines of time. */
class EventPresentationTest {

    private static final Instant NOW = Instant.parse("2026-11-17T12:00:00Z");

    private static UnfinishedEvent unfinished(String id, UnfinishedEvent.State state) {
        return new UnfinishedEvent(
                id,
                Optional.empty(),
                Optional.of("key"),
                "order.paid",
                "shop",
                1,
                1,
                NOW.minusSeconds(60),
                0,
                0,
                0,
                0,
                state);
    }

    private static FoundEvent waits(String id, Optional<String> behind) {
        UnfinishedEvent.Why why = behind.isPresent() ? UnfinishedEvent.Why.BEHIND : UnfinishedEvent.Why.BACKOFF;
        UnfinishedEvent.Waiting waiting = new UnfinishedEvent.Waiting(NOW.plusSeconds(30), why, behind);
        return new FoundEvent.Waits(unfinished(id, waiting), waiting, why.words());
    }

    private static FoundEvent runs(String id) {
        UnfinishedEvent.Claimed claim =
                new UnfinishedEvent.Claimed("shop-1", Optional.of(NOW.minusSeconds(7)), NOW.plusSeconds(30));
        return new FoundEvent.Runs(unfinished(id, claim), claim);
    }

    private static FoundEvent died(String id, Instant created, Instant deadAt) {
        Event event =
                Event.named("order.paid").id(id).source("shop").created(created).build();
        DeadLetter letter = Incident.letter(event, Reason.TIMEOUT, "Slow", "too slow", deadAt);
        return new FoundEvent.Died(letter);
    }

    @Test
    void a_state_is_told_with_its_time_and_place() {
        assertThat(EventWords.fate(waits("a", Optional.empty()), NOW))
                .isEqualTo("waits for its next attempt, due in 30 s");
        assertThat(EventWords.fate(runs("a"), NOW)).isEqualTo("is being handled on shop-1, claimed 7 s ago");
        assertThat(EventWords.fate(died("a", NOW, NOW.minusSeconds(120)), NOW))
                .isEqualTo("was given up 2 min ago: timeout");
    }

    @Test
    void the_first_unfinished_event_of_a_key_blocks_the_others() {
        FoundEvent first = runs("a");
        FoundEvent second = waits("b", Optional.of("a"));
        KeyQueue queue = KeyQueue.of("key", List.of(died("x", NOW, NOW), first, second));
        assertThat(queue.blocker()).contains(first);
        assertThat(queue.behind()).containsExactly(second);
        assertThat(queue.inWords()).isEqualTo("order.paid blocks the ordering key 'key': 1 event waits behind it.");
    }

    @Test
    void a_key_without_events_behind_is_not_blocked() {
        assertThat(KeyQueue.of("key", List.of(waits("a", Optional.empty()))).blocker())
                .isEmpty();
        // The blocker ended between two reads.
        assertThat(KeyQueue.of("key", List.of(waits("b", Optional.of("a")))).blocker())
                .isEmpty();
    }

    @Test
    void bars_of_a_chain_lie_within_the_line_also_when_clocks_differ() {
        FoundEvent first = died("a", NOW.minusSeconds(100), NOW.minusSeconds(50));
        FoundEvent second = died("b", NOW.minusSeconds(50), NOW);
        FoundEvent early = died("c", NOW.minusSeconds(20), NOW.minusSeconds(500));
        EventChain chain = EventChain.of(List.of(first, second, early), NOW);
        assertThat(chain.length()).isEqualTo(Duration.ofSeconds(100));
        assertThat(chain.rows().get(0).x()).isEqualTo("0.0");
        assertThat(chain.rows().get(0).width()).isEqualTo("50.0");
        assertThat(chain.rows().get(1).x()).isEqualTo("50.0");
        assertThat(chain.rows()).allSatisfy(row -> {
            double end = Double.parseDouble(row.x()) + Double.parseDouble(row.width());
            assertThat(Double.parseDouble(row.width())).isPositive();
            assertThat(end).isLessThanOrEqualTo(101.2);
        });
        assertThat(EventChain.of(List.of(), NOW).rows()).isEmpty();
    }

    @Test
    void fields_of_payloads_and_shared_values_are_suggested_and_only_for_json() {
        Event json = Event.named("order.paid")
                .source("shop")
                .json(
                        "{\"lines\":[{\"sku\":1},{\"sku\":2}],\"to\": {\"city\": \"x\", \"a/b\": \"\\u00e9\"},\"a=b\":1,\"no\":\"\"}")
                .build();
        Event text = Event.named("mail.sent").source("shop").text("{\"no\": 1}").build();
        List<DeadLetter> letters = List.of(letter(json), letter(text));
        assertThat(PayloadPaths.suggested(letters))
                .containsExactly("/lines/0/sku=1", "/lines/1/sku=2", "/no=", "/to/a~1b=\u00e9", "/to/city=x");
        assertThat(PayloadPaths.fields(letters)).containsExactly("a=b", "lines.sku", "no", "to.a/b", "to.city");
    }

    @Test
    void a_value_that_differs_leads_to_the_letters_with_it() {
        Difference text = difference("/currency", Trait.Kind.EQUALS, "\"X\"B\"");
        assertThat(CausePage.lettersWith("c0ffee", "order.paid", text)
                        .orElseThrow()
                        .parts())
                .contains(Map.entry("cause", "c0ffee"), Map.entry("payload", "/currency=X\"B"));
        Difference number = difference("/n", Trait.Kind.EQUALS, "17");
        assertThat(CausePage.lettersWith("c0ffee", "order.paid", number)
                        .orElseThrow()
                        .parts())
                .contains(Map.entry("name", "order.paid"), Map.entry("payload", "/n=17"));
        for (Difference other : List.of(
                difference("/lines/*/sku", Trait.Kind.EQUALS, "\"A\""),
                difference("/currency", Trait.Kind.ABSENT, ""),
                difference("", Trait.Kind.EQUALS, "1"),
                difference("/a=b", Trait.Kind.EQUALS, "1"))) {
            assertThat(CausePage.lettersWith("c0ffee", "order.paid", other)).isEmpty();
        }
    }

    private static Difference difference(String pointer, Trait.Kind kind, String value) {
        return new Difference(
                new Subject(Subject.Kind.FIELD, pointer),
                new Trait(kind, value),
                new Share(5, 5, 0),
                new Share(0, 5, 0));
    }

    @Test
    void a_field_with_a_value_of_its_own_in_each_letter_is_suggested_without_a_value() {
        List<DeadLetter> letters = IntStream.range(0, 4)
                .mapToObj(i -> letter(Event.named("order.paid")
                        .source("shop")
                        .json("{\"order\":" + i + ",\"country\":\"" + (i < 2 ? "CH" : "DE") + "\"}")
                        .build()))
                .toList();
        assertThat(PayloadPaths.suggested(letters)).containsExactly("/country=CH", "/country=DE", "/order=");
    }

    private static DeadLetter letter(Event event) {
        return Incident.letter(event, Reason.TIMEOUT, "Slow", "too slow", NOW);
    }

    @Test
    void a_cause_names_the_node_that_started_shortly_before_its_first_letter() {
        Sighting sighting = new Sighting(
                LocalDate.parse("2026-11-17"),
                "order.paid",
                Optional.of(new ServiceVersion("2.4.0")),
                7,
                NOW.minusSeconds(600),
                NOW.minusSeconds(60));
        Cause cause = new Cause(
                "abc", "IOException", "no", NOW.minusSeconds(600), List.of(sighting), Care.NONE, Optional.empty());
        CauseVersions versions = CauseVersions.of(
                cause,
                List.of(
                        node("shop-1", "2.3.1", NOW.minus(Duration.ofDays(9))),
                        node("shop-2", "2.4.0", NOW.minusSeconds(780)),
                        node("shop-3", "2.4.1", NOW.minusSeconds(30))),
                NOW);
        assertThat(versions.began()).isEqualTo("Began 3 min after node shop-2 started with version 2.4.0");
        assertThat(versions.versions())
                .extracting(
                        CauseVersions.OfVersion::version,
                        CauseVersions.OfVersion::letters,
                        CauseVersions.OfVersion::nodes)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("2.3.1", 0L, 1L),
                        org.assertj.core.groups.Tuple.tuple("2.4.0", 7L, 1L),
                        org.assertj.core.groups.Tuple.tuple("2.4.1", 0L, 1L));
    }

    @Test
    void a_chart_of_a_cause_marks_where_versions_began_beside_its_letters() {
        Cause cause = new Cause(
                "abc",
                "IOException",
                "no",
                NOW.minus(Duration.ofHours(60)),
                List.of(sighting("2.3.1", 60, 50, 3), sighting("2.4.0", 30, 20, 12), sighting("2.4.0", 6, 1, 24)),
                Care.NONE,
                Optional.empty());
        CauseVersions versions = CauseVersions.of(
                cause,
                List.of(
                        node("shop-1", "2.2.0", NOW.minus(Duration.ofDays(90))),
                        node("shop-2", "2.4.0", NOW.minus(Duration.ofHours(30)))),
                NOW);
        CauseChart chart = CauseChart.of(cause, versions, NOW);
        assertThat(chart.from()).isEqualTo(NOW.minus(Duration.ofHours(60)));
        assertThat(chart.bars())
                .containsExactly(
                        new CauseChart.Bar(20, 96, 6, "15 Nov: 3 letters"),
                        new CauseChart.Bar(309, 96, 26, "16 Nov: 12 letters"),
                        new CauseChart.Bar(540, 48, 52, "17 Nov: 24 letters"));
        assertThat(chart.marks())
                .containsExactly(
                        new CauseChart.Mark(20, "2.3.1", false, "2.3.1: first letter 2026-11-15 00:00:00 UTC"),
                        new CauseChart.Mark(309, "2.4.0", false, "2.4.0: a node started 2026-11-16 06:00:00 UTC"));
        assertThat(chart.inWords()).startsWith("39 letters from 15 Nov 00:00 UTC to 11:00 UTC; 2.");
    }

    /** Returns letters of a version, from so many hours ago to so many hours ago. */
    private static Sighting sighting(String version, int from, int to, long letters) {
        Instant first = NOW.minus(Duration.ofHours(from));
        return new Sighting(
                LocalDate.ofInstant(first, ZoneOffset.UTC),
                "order.paid",
                Optional.of(new ServiceVersion(version)),
                letters,
                first,
                NOW.minus(Duration.ofHours(to)));
    }

    private static Member node(String name, String version, Instant started) {
        return new Member(
                name,
                "shop",
                Optional.of(new ServiceVersion(version)),
                started,
                NOW,
                Set.of(new NamePattern("order.*")));
    }

    @Test
    void the_address_of_a_store_has_no_password() {
        assertThat(Mount.address(null, "jdbc:postgresql://db/shop?user=a&password=b"))
                .isEqualTo("jdbc:postgresql://db/shop");
        assertThat(Mount.address(null, "postgresql://a:b@db/shop")).isEqualTo("STORE");
        assertThat(Mount.address("shop.db", null)).isEqualTo("shop.db");
        assertThat(Mount.address(null, null)).isEqualTo("STORE");
    }
}
