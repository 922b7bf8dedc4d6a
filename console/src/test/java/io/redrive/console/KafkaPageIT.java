package io.redrive.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Reason;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.SharedNotes.Note;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** The page of Kafka: without a flow, with running nodes, with nodes that died, with hostile texts. */
class KafkaPageIT {

    private static final String PAGE = "/redrive/kafka";

    private static void flow(EventStore store, String node, String group, Instant at, String lines) {
        String text = "flow\t" + node + "\t" + group + "\torders\t" + at + "\truns\tno\t7\t100000\t0\t0\n" + lines;
        store.notes().write(Note.first("flow", "note " + store.notes().read().size(), text));
    }

    private static String page(EventStore store, String path) {
        try (ConfigurableApplicationContext shop = Shop.start(store)) {
            return new Caller(Shop.urlOf(shop), "vic").get(path).body();
        }
    }

    @Test
    void without_a_flow_the_navigation_has_no_entry_and_the_page_says_what_to_do() {
        assertThat(page(new InMemoryEventStore(), PAGE))
                .contains("No node has reported a flow from Kafka.")
                .contains("redrive.kafka.topics")
                .doesNotContain(">Kafka</a>");
    }

    @Test
    void topics_link_to_the_letters_of_their_names_and_tell_why_partitions_are_paused() {
        EventStore store = new InMemoryEventStore();
        Event dead = Event.named("order.paid").source("orders").build();
        store.deadLetters()
                .importLetters(
                        List.of(Incident.letter(
                                dead, Reason.MAX_ATTEMPTS_EXCEEDED, "http_503", "status 503", Instant.now())),
                        "test",
                        Instant.now());
        flow(
                store,
                "shop-1",
                "billing",
                Instant.now().plusSeconds(600),
                "topic\torders\t2\t1204\t2003\t3\t1\t1\tno\torder.paid order.sent\n"
                        + "partition\t0\t0\t1200\t2000\t3\t1\tbrake\n");
        flow(store, "gone", "billing", Instant.now().minusSeconds(600), "topic\torders\t1\t77\t1\t1\t1\t0\tno\t\n");
        assertThat(page(store, PAGE))
                .contains("A lag of 1,204 records; 1 partition is paused.")
                .contains(">Kafka</a>")
                .contains("<a href=\"/redrive/letters?name=order.paid\">1 of order.paid</a>")
                .doesNotContain("of order.sent")
                .contains("the brake holds failed records back")
                .contains("<span class=\"badge bad\">stale</span>")
                .contains("<span class=\"badge good\">running</span>")
                .contains("Show 1 partition</a>")
                .doesNotContain("shop-1</td>");
        assertThat(page(store, PAGE + "?partitions=1"))
                .contains("<td class=\"half\">orders 0</td><td class=\"half\">shop-1</td>")
                .contains("1 partition with less lag did not fit");
    }

    @Test
    void a_group_whose_nodes_all_died_is_told_in_the_first_line() {
        EventStore store = new InMemoryEventStore();
        flow(store, "gone", "billing", Instant.now().minusSeconds(600), "topic\torders\t1\t77\t1\t1\t1\t0\tno\t\n");
        assertThat(page(store, PAGE))
                .contains("No node of the group billing runs.")
                .contains("<b>orders</b> <span class=\"badge warn\">stale</span>")
                .contains("unknown before the first record");
    }

    @Test
    void texts_of_groups_nodes_and_topics_are_shown_and_never_become_markup() {
        EventStore store = new InMemoryEventStore();
        String evil = "<script>alert(1)</script>";
        flow(
                store,
                evil,
                evil,
                Instant.now().plusSeconds(600),
                "topic\t" + evil + "\t1\t77\t1\t1\t1\t1\tno\t\npartition\t0\t0\t1\t1\t1\t1\tbrake\n");
        assertThat(page(store, PAGE)).contains("&lt;script&gt;alert(1)").doesNotContain("<script>alert");
    }
}
