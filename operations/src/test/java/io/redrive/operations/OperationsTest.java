package io.redrive.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.ManualTime;
import io.redrive.core.Reason;
import io.redrive.events.ActionFilter;
import io.redrive.events.AttemptRecord;
import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.Event;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.Lane;
import io.redrive.events.LetterFilter;
import io.redrive.events.OperatorAction;
import io.redrive.events.Settlement;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class OperationsTest {

    private static final byte[] JSON = "{\"total\": 2}".getBytes(StandardCharsets.UTF_8);

    private final ManualTime time = new ManualTime();
    private final InMemoryEventStore store = new InMemoryEventStore();
    private final Operations operations =
            Operations.of(store, new Operator("ann", Role.ADMIN, "test, ann@laptop"), time);

    @Test
    void a_publish_by_hand_is_recorded_with_operator_origin_and_ids() {
        Event event = event("order.paid");

        operations.events().publish(List.of(event));
        operations.events().publish(List.of(event));

        List<OperatorAction> actions = operations.actions(ActionFilter.ALL.withAction("publish"), 10);
        assertThat(actions)
                .extracting(OperatorAction::outcome)
                .containsExactlyInAnyOrder("1 accepted, 0 duplicates", "0 accepted, 1 duplicates");
        assertThat(actions).allSatisfy(action -> {
            assertThat(action.operator()).isEqualTo("ann");
            assertThat(action.command().origin()).isEqualTo("test, ann@laptop");
            assertThat(action.command().about()).isEqualTo("order.paid " + event.id());
        });
    }

    @Test
    void a_cancel_is_recorded_only_when_an_event_was_removed() {
        Event event = event("order.paid");
        operations.events().publish(List.of(event));

        assertThat(operations.events().cancel("unknown", null)).isFalse();
        assertThat(operations.events().cancel(event.id(), null)).isTrue();

        assertThat(operations.actions(ActionFilter.ALL.withAction("cancel"), 10))
                .singleElement()
                .satisfies(action -> assertThat(action.detail()).isEqualTo("event " + event.id() + "; removed"));
    }

    @Test
    void a_purge_leaves_letters_that_died_after_its_preview() {
        die("order.paid", 3);
        Preview preview = operations.letters().preview(LetterSelection.all());
        time.advance(Duration.ofSeconds(1));
        die("order.paid", 2);

        assertThat(operations.letters().purge(preview, purged -> {})).isEqualTo(3);
        assertThat(operations.letters().count(LetterFilter.ALL)).isEqualTo(2);
    }

    @Test
    void a_preview_names_the_ids_without_a_letter_and_counts_up_to_its_limit() {
        die("order.paid", 3);
        List<Long> ids = operations.letters().oldest(LetterFilter.ALL, 0, 10).stream()
                .map(letter -> letter.id())
                .toList();

        Preview preview = operations.letters().preview(LetterSelection.ofIds(List.of(ids.get(0), 998L, 999L)));
        assertThat(preview.letters()).isEqualTo(1);
        assertThat(preview.missing()).containsExactly(998L, 999L);
        assertThat(operations.letters().preview(LetterSelection.all().atMost(2)).letters())
                .isEqualTo(2);
    }

    @Test
    void a_selection_must_say_when_it_means_all_letters() {
        assertThatThrownBy(() -> LetterSelection.matching(LetterFilter.ALL))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("select all letters explicitly");
        assertThatThrownBy(() -> LetterSelection.ofIds(List.of())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> LetterSelection.all().atMost(0)).hasMessage("limit must be at least 1, got 0");
    }

    @Test
    void an_edit_refuses_a_payload_that_is_not_json_and_changes_nothing() {
        die("order.paid", 1);
        long id = operations.letters().oldest(LetterFilter.ALL, 0, 1).get(0).id();

        assertThatThrownBy(() -> operations.letters().edit(id, "{oops".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not valid application/json")
                .hasMessageContaining("nothing was changed");
        assertThat(operations.actions(ActionFilter.ALL.withAction("edit"), 10)).isEmpty();

        assertThat(operations.letters().edit(id, JSON)).isTrue();
        assertThat(operations.letters().find(id).orElseThrow().event().payload())
                .isEqualTo(JSON);
        assertThat(operations.letters().edit(999, JSON)).isFalse();
    }

    @Test
    void an_import_in_pages_is_one_row_in_the_record() {
        die("order.paid", 3);
        var letters = operations.letters().oldestWithHistory(LetterFilter.ALL, 0, 10);
        Operations elsewhere = Operations.of(new InMemoryEventStore(), Operator.named("bob", Role.OPERATOR), time);

        LetterImport imported = elsewhere.letters().beginImport("from letters.jsonl");
        imported.add(letters.subList(0, 2));
        imported.add(letters);

        assertThat(imported.offered()).isEqualTo(5);
        assertThat(imported.taken()).isEqualTo(3);
        assertThat(elsewhere.actions(ActionFilter.ALL, 10)).singleElement().satisfies(action -> {
            assertThat(action.letters()).isEqualTo(3);
            assertThat(action.command().about()).isEqualTo("from letters.jsonl");
        });
    }

    @Test
    void a_role_and_an_operator_refuse_wrong_texts_by_name_and_rule() {
        assertThat(Role.of("viewer")).isEqualTo(Role.VIEWER);
        assertThatThrownBy(() -> Role.of("root"))
                .hasMessage("role must be one of publisher, viewer, assistant, operator, admin; got 'root'");
        assertThatThrownBy(() -> Operator.named(" ", Role.VIEWER)).hasMessageContaining("operator must be 1 to 200");
    }

    @Test
    void the_record_may_contain_every_verb_but_reading() {
        assertThat(Verb.recorded()).contains("redrive", "purge", "publish").doesNotContain("read");
    }

    private void die(String name, int letters) {
        for (int i = 0; i < letters; i++) {
            store.publish(List.of(event(name)), time.now());
            Claim claim = store.claim(new ClaimRequest("n", Lane.DOMAIN, 1, false, Duration.ofSeconds(30), time.now()))
                    .get(0);
            AttemptRecord attempt = new AttemptRecord(
                    1, time.now(), "n", Duration.ZERO, "IOException", "broken", "dead", "not retryable");
            store.settle(List.of(new Settlement.Dead(claim, Reason.NOT_RETRYABLE, attempt, "abc", "shop")), time.now());
        }
    }

    private Event event(String name) {
        return Event.named(name)
                .source("shop")
                .time(time)
                .json("{\"total\": 1}")
                .build();
    }
}
