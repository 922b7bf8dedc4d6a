package io.redrive.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.cli.terminal.PersonAtTerminal;
import io.redrive.cli.terminal.Printable;
import io.redrive.events.SharedNotes.Note;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** {@code redrive kafka status} on a store. */
final class KafkaStatusTest {

    private final LetterDesk desk = new LetterDesk();

    private void flow(String node, String group, String lines) {
        desk.store
                .notes()
                .write(Note.first(
                        "flow",
                        "note of " + group.length(),
                        "flow\t" + node + "\t" + group + "\torders\t" + desk.time.now()
                                + "\truns\tno\t7\t100000\t0\t0\n" + lines));
    }

    private void billing() {
        flow(
                "shop-1",
                "billing",
                "topic\torders\t2\t1204\t2003\t3\t1\t1\tno\torder.paid\n"
                        + "partition\t0\t0\t1200\t2000\t3\t1\tback_pressure\n"
                        + "partition\t0\t1\t4\t3\t0\t0\tno\n");
    }

    private Ran wide(String command) {
        return desk.at(new PersonAtTerminal(200, "", "")).run(command);
    }

    @Test
    void says_what_to_do_when_no_node_has_a_flow() {
        Ran ran = desk.run("kafka status");
        assertThat(ran.code()).isZero();
        assertThat(ran.out()).isEqualToIgnoringNewLines("no node has reported a flow from Kafka");
        assertThat(ran.err()).contains("KafkaFlow", "docs/guide/kafka.md");
        assertThat(desk.run("kafka status --json").out()).isEqualToIgnoringNewLines("{\"waiting\":0,\"groups\":[]}");
    }

    @Test
    void shows_topics_nodes_and_the_letters_of_their_names() {
        desk.dead("order.paid");
        billing();
        desk.time.advance(Duration.ofSeconds(3));
        assertThat(wide("kafka status").out())
                .contains("group billing: lag 1,204, 1 node runs")
                .containsPattern("orders +2 +1,204 +2,003 +3 +1 +1 +1 +handlers are behind")
                .containsPattern("shop-1 +running +3s ago +2 +7 +off +orders")
                .contains("0 events wait in the store")
                .doesNotContain("partition  ");
        assertThat(wide("kafka status --partitions").out())
                .containsPattern("orders +0 +1,200 +2,000 +3 +1 +shop-1 +handlers are behind")
                .containsPattern("orders +1 +4 +3 +0 +0 +shop-1");
        assertThat(desk.run("kafka status --json").out())
                .contains("\"group\":\"billing\"", "\"state\":\"running\"", "\"letters\":1")
                .contains("\"blocked_keys\":1,\"pause\":\"back_pressure\"}", "\"pause\":null}");
    }

    @Test
    void a_dead_node_is_stale_and_a_paused_name_is_a_remark() {
        billing();
        desk.run("pause order.* --reason outage");
        desk.time.advance(Duration.ofSeconds(20));
        assertThat(wide("kafka status").out())
                .contains("group billing: no node runs; the figures below are the last ones")
                .containsPattern("orders .* stale; paused: order\\.\\*")
                .containsPattern("shop-1 +stale +20s ago");
    }

    @Test
    void letters_of_a_topic_without_a_name_are_unknown_and_with_further_names_at_least() {
        flow(
                "shop-1",
                "billing",
                "topic\torders\t1\t0\t0\t0\t0\t0\tno\t\ntopic\trefunds\t1\t0\t0\t0\t0\t0\tyes\torder.paid\n");
        assertThat(wide("kafka status").out())
                .containsPattern("orders +1 +0 +0 +0 +0 +0 +\\?")
                .containsPattern("refunds +1 +0 +0 +0 +0 +0 +0\\+");
    }

    @Test
    void a_narrow_terminal_drops_columns_and_hostile_texts_do_no_harm() {
        flow(
                "shop\u001b[2J-1",
                "bill\u202eing",
                "topic\torders\t2\t1204\t2003\t3\t1\t1\tno\torder.paid\n"
                        + "topic\t" + "x".repeat(249) + "\t1\t1\t1\t1\t1\t1\tno\t\n"
                        + "partition\t0\t0\t1200\t2000\t3\t1\tpaused_name\n");
        Ran ran = desk.at(new PersonAtTerminal(60, "", "")).run("kafka status --partitions");
        assertThat(ran.code()).isZero();
        assertThat(ran.out().lines()).allMatch(line -> Printable.width(line) <= 60);
        assertThat(ran.out()).doesNotContain("\u001b[2J", "\u202e");
    }

    @Test
    void a_wrong_option_or_command_is_refused() {
        assertThat(desk.run("kafka").code()).isEqualTo(2);
        assertThat(desk.run("kafka lag").code()).isEqualTo(2);
        assertThat(desk.run("kafka status --topic orders").code()).isEqualTo(2);
    }
}
