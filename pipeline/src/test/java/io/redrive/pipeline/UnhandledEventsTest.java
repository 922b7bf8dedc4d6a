package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.redrive.core.Reason;
import io.redrive.events.Claim;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.Settlement;
import io.redrive.events.SharedNotes.Note;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Nodes on the same store with handlers for different names. */
class UnhandledEventsTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Rig rig = new Rig();

    private Pipeline.Builder node(String name, String... patterns) {
        Pipeline.Builder builder = rig.pipeline().node(name);
        for (String pattern : patterns) {
            builder.on(pattern, event -> rig.handled.add(name + " " + event.name()));
        }
        return builder;
    }

    private void run(Duration span, Pipeline... nodes) {
        for (Duration passed = Duration.ZERO; passed.compareTo(span) < 0; passed = passed.plus(SECOND)) {
            rig.time.advance(SECOND);
            for (Pipeline node : nodes) {
                node.drain();
            }
        }
    }

    private List<String> warnings() {
        return rig.heard.lints.stream()
                .map(PipelineListener.Lint::warning)
                .filter(warning -> warning.startsWith("no handler"))
                .toList();
    }

    @Test
    void each_node_handles_its_own_names_and_buries_none_of_the_others() {
        Pipeline orders = node("orders", "order.*").build();
        Pipeline mails = node("mails", "mail.*").build();
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            events.add(rig.event(i % 2 == 0 ? "order.paid" : "mail.sent").build());
        }
        rig.store.publish(events, rig.time.now());
        run(Duration.ofSeconds(10), orders, mails);
        assertThat(rig.letters()).isEmpty();
        assertThat(rig.handled).hasSize(100).containsOnly("orders order.paid", "mails mail.sent");
        assertThat(rig.heard.paused).isEmpty();
        assertThat(warnings()).isEmpty();
    }

    @Test
    void an_event_that_no_node_handles_waits_and_is_handled_once_a_node_does() {
        Pipeline old = node("old", "order.paid").build();
        rig.store.publish(rig.events("order.refund", 50), rig.time.now());
        run(Duration.ofHours(1), old);
        assertThat(rig.letters()).isEmpty();
        assertThat(rig.stats().ready()).isEqualTo(50);
        Pipeline young = node("young", "order.paid", "order.refund").build();
        run(SECOND, old, young);
        assertThat(rig.handled).hasSize(50).containsOnly("young order.refund");
        assertThat(rig.stats().ready()).isZero();
    }

    @Test
    void a_warning_names_the_event_the_handlers_and_the_remedy_once_for_each_name() {
        Pipeline orders = node("orders", "order.paid").build();
        Pipeline mails = node("mails", "mail.*").build();
        rig.store.publish(rig.events("order.refund", 3), rig.time.now());
        run(Duration.ofMinutes(2), orders);
        run(Duration.ofMinutes(2), orders, mails);
        assertThat(warnings())
                .containsExactly(
                        "no handler for event 'order.refund' on any live node (registered: order.paid); its events wait."
                                + " Register one with on(\"order.refund\", …), or set unhandled-after for the name to"
                                + " make dead letters of them",
                        "no handler for event 'order.refund' on any live node (registered: mail.*, order.paid); its"
                                + " events wait. Register one with on(\"order.refund\", …), or set unhandled-after for"
                                + " the name to make dead letters of them");
    }

    @Test
    void no_warning_while_a_live_node_has_a_handler_however_busy_it_is() {
        Pipeline orders = node("orders", "order.paid").build();
        Pipeline mails = node("mails", "mail.*").build();
        mails.drain();
        rig.store.publish(rig.events("mail.sent", 1), rig.time.now());
        for (int i = 0; i < 14; i++) {
            run(SECOND, orders);
        }
        assertThat(rig.stats().waiting().setAside()).isEqualTo(1);
        assertThat(warnings()).isEmpty();
        run(Duration.ofSeconds(10), orders);
        assertThat(warnings()).hasSize(1);
    }

    @Test
    void a_pipeline_without_handlers_claims_nothing_and_warns_of_what_nobody_handles() {
        Pipeline publisher = node("publisher").build();
        rig.store.publish(rig.events("order.paid", 2), rig.time.now());
        run(Duration.ofSeconds(30), publisher);
        assertThat(rig.stats().claimed()).isZero();
        assertThat(rig.stats().ready()).isEqualTo(2);
        assertThat(warnings()).singleElement().asString().contains("(registered: none)");
    }

    @Test
    void the_age_of_the_oldest_event_without_a_handler_raises_an_alert() {
        Pipeline orders = node("orders", "order.paid")
                .alerts(AlertThresholds.STANDARD.withUnhandledAge(Duration.ofMinutes(1)))
                .build();
        rig.store.publish(rig.events("order.refund", 1), rig.time.now());
        run(Duration.ofSeconds(50), orders);
        assertThat(raised(orders)).isFalse();
        run(Duration.ofSeconds(20), orders);
        assertThat(raised(orders)).isTrue();
        Pipeline refunds = node("refunds", "order.refund").build();
        run(Duration.ofMinutes(2), orders, refunds);
        assertThat(raised(orders)).isFalse();
    }

    @Test
    void of_several_names_without_a_handler_the_event_that_waits_longest_raises_the_alert() {
        Pipeline orders = node("orders", "order.paid")
                .alerts(AlertThresholds.STANDARD.withUnhandledAge(Duration.ofMinutes(1)))
                .build();
        rig.store.publish(rig.events("order.refund", 1), rig.time.now());
        run(Duration.ofSeconds(50), orders);
        rig.store.publish(rig.events("mail.sent", 1), rig.time.now());
        run(Duration.ofSeconds(20), orders);
        assertThat(raised(orders)).isTrue();
    }

    @Test
    void a_name_that_had_a_handler_meanwhile_is_watched_anew() {
        EventPolicies policies = EventPolicies.defaults().withUnhandledAfter("*", Duration.ofSeconds(30));
        Pipeline orders = node("orders", "order.paid").policies(policies).build();
        rig.store.publish(rig.events("order.refund", 1), rig.time.now());
        run(Duration.ofSeconds(25), orders);
        Pipeline refunds = node("refunds", "order.refund").policies(policies).build();
        run(Duration.ofSeconds(2), orders, refunds);
        assertThat(rig.handled).containsExactly("refunds order.refund");
        // The node with the handler dies; no event of the name may die within a minute.
        rig.store.publish(rig.events("order.refund", 1), rig.time.now());
        run(Duration.ofSeconds(60), orders);
        assertThat(rig.letters()).isEmpty();
        run(Duration.ofSeconds(60), orders);
        assertThat(rig.letters()).hasSize(1);
    }

    @Test
    void a_death_that_came_too_late_is_not_told() {
        EventPolicies policies = EventPolicies.defaults().withUnhandledAfter("*", Duration.ofMinutes(2));
        EventStore overtaken = new HookedStore(rig.store) {
            @Override
            public List<Claim> settle(List<Settlement> settlements, Instant now) {
                // Another node was faster.
                rig.store.settle(
                        settlements.stream()
                                .<Settlement>map(each -> new Settlement.Done(each.claim()))
                                .toList(),
                        now);
                return rig.store.settle(settlements, now);
            }
        };
        Pipeline orders = rig.pipelineOn(overtaken)
                .on("order.paid", event -> {})
                .policies(policies)
                .build();
        rig.store.publish(rig.events("order.refund", 1), rig.time.now());
        run(Duration.ofMinutes(5), orders);
        assertThat(rig.stats().ready()).as("settled by the other node").isZero();
        assertThat(rig.letters()).isEmpty();
        assertThat(rig.heard.dead).isEmpty();
    }

    private static boolean raised(Pipeline pipeline) {
        return pipeline.alerts().current().stream()
                .filter(state -> state.kind() == Alerts.Kind.UNHANDLED_AGE)
                .findFirst()
                .orElseThrow()
                .raised();
    }

    @Test
    void an_event_without_a_handler_dies_only_after_what_its_policy_says() {
        EventPolicies policies = EventPolicies.defaults().with(Map.of("order.*", Map.of("unhandled-after", "10m")));
        Pipeline orders = node("orders", "order.paid").policies(policies).build();
        rig.store.publish(rig.events("order.refund", 1), rig.time.now());
        rig.store.publish(rig.events("mail.sent", 1), rig.time.now());
        run(Duration.ofMinutes(5), orders);
        rig.store.publish(rig.events("order.refund", 1), rig.time.now());
        run(Duration.ofMinutes(4), orders);
        assertThat(rig.letters()).isEmpty();
        run(Duration.ofMinutes(2), orders);
        assertThat(rig.onlyLetter().reason()).isEqualTo(Reason.TTL_EXCEEDED);
        assertThat(rig.onlyLetter().lastError())
                .isEqualTo("no handler for event 'order.refund' on any live node (registered: order.paid) within 10m"
                        + " (unhandled-after); redrive it once a handler is deployed");
        assertThat(rig.heard.dead).hasSize(1);
        assertThat(rig.heard.paused).isEmpty();
        run(Duration.ofMinutes(60), orders);
        assertThat(rig.letters()).hasSize(2);
        assertThat(rig.stats().ready())
                .as("the name without such a policy waits")
                .isEqualTo(1);
    }

    @Test
    void nothing_is_buried_in_the_first_minute_after_all_nodes_were_down() {
        EventPolicies policies = EventPolicies.defaults().withUnhandledAfter("*", Duration.ofMinutes(10));
        rig.store.publish(rig.events("order.refund", 1), rig.time.now());
        rig.time.advance(Duration.ofDays(3));
        Pipeline orders = node("orders", "order.paid").policies(policies).build();
        run(Duration.ofSeconds(50), orders);
        Pipeline refunds = node("refunds", "order.refund").policies(policies).build();
        run(Duration.ofMinutes(5), refunds, orders);
        assertThat(rig.letters()).isEmpty();
        assertThat(rig.handled).containsExactly("refunds order.refund");
    }

    @Test
    void a_setting_for_unhandled_events_leaves_the_retry_policy_as_it_is() {
        EventPolicies changed = EventPolicies.defaults().with(Map.of("ui.command.*", Map.of("unhandled-after", "3d")));
        assertThat(changed.policyFor("ui.command.x"))
                .isEqualTo(EventPolicies.defaults().policyFor("ui.command.x"));
        assertThat(changed.unhandledAfter("ui.command.x")).contains(Duration.ofDays(3));
        assertThat(changed.unhandledAfter("order.paid")).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> changed.withUnhandledAfter("*", Duration.ZERO))
                .withMessage("unhandled-after must be longer than zero, got PT0S");
    }

    @Test
    void a_node_of_an_older_version_is_taken_for_one_that_handles_every_name() {
        Pipeline orders = node("orders", "order.paid").build();
        String value = rig.time.now() + "\n" + rig.time.now() + "\nshop";
        Note note = Note.first("node", "old", value);
        assertThat(rig.store.notes().write(note)).isTrue();
        rig.store.publish(rig.events("order.refund", 1), rig.time.now());
        run(Duration.ofSeconds(10), orders);
        assertThat(warnings()).isEmpty();
        assertThat(orders.members()).extracting(Member::service).containsOnly("shop", "redrive");
        run(Duration.ofSeconds(10), orders);
        assertThat(warnings()).as("it has not told of itself any more").hasSize(1);
    }

    @Test
    void a_node_with_more_names_than_fit_its_note_says_that_it_handles_all() {
        Pipeline.Builder builder = node("many");
        for (int i = 0; i < 200; i++) {
            builder.on("a.rather.long.name.of.an.event.which.is.one.of.many.number" + i, event -> {});
        }
        Pipeline many = builder.build();
        many.drain();
        assertThat(many.members().get(0).handles()).hasSize(1);
    }
}
