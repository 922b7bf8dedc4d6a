package io.redrive.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.ManualTime;
import io.redrive.events.ActionFilter;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.OperatorAction;
import io.redrive.pipeline.NamePause;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RouteOperationsTest {

    private final ManualTime time = new ManualTime();
    private final InMemoryEventStore store = new InMemoryEventStore();
    private final StoredOperations operations = Operations.of(store, Operator.named("ann", Role.ADMIN), time);
    private final OneRoute routes = new OneRoute();

    @Test
    void a_disabled_route_is_a_pause_of_its_delivery_events_and_enabling_ends_the_pause() {
        operations.withRoutes(routes).routes().disable("billing", "they move house");

        List<NamePause> pauses = operations.pauses().list();
        assertThat(pauses).hasSize(1);
        assertThat(pauses.get(0).pattern().text()).isEqualTo("webhook.billing");

        assertThat(operations.withRoutes(routes).routes().enable("billing").map(NamePause.ByHand::reason))
                .contains("they move house");
        assertThat(operations.pauses().list()).isEmpty();
        assertThat(routes.forgotten).containsExactly("billing");
    }

    @Test
    void each_change_is_one_row_in_the_record_and_no_row_holds_a_secret() {
        operations.withRoutes(routes).routes().test("billing");
        operations.withRoutes(routes).routes().disable("billing", "they move house");
        operations.withRoutes(routes).routes().enable("billing");
        RotatedSecret secret = operations.withRoutes(routes).routes().rotate("billing", Optional.empty());

        List<OperatorAction> actions = operations.actions(ActionFilter.ALL, 10);
        assertThat(actions)
                .extracting(OperatorAction::action)
                .containsExactlyInAnyOrder("test-route", "disable-route", "enable-route", "rotate-route");
        assertThat(actions.toString()).doesNotContain(secret.receiverText());
        assertThat(secret.toString()).doesNotContain(secret.receiverText());
    }

    @Test
    void a_mistyped_route_is_refused_with_the_known_routes_and_changes_nothing() {
        assertThatThrownBy(() -> operations.withRoutes(routes).routes().disable("biling", "typo"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no route 'biling' (known: billing)");
        assertThat(operations.pauses().list()).isEmpty();
        assertThat(operations.actions(ActionFilter.ALL, 10)).isEmpty();
    }

    @Test
    void enabling_an_enabled_route_records_nothing() {
        assertThat(operations.withRoutes(routes).routes().enable("billing")).isEmpty();
        assertThat(operations.actions(ActionFilter.ALL, 10)).isEmpty();
    }
}
