package io.redrive.cli.kafka;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.OperationsCommand;
import io.redrive.cli.terminal.Printable;
import io.redrive.operations.Operations;
import io.redrive.operations.flow.FlowNode;
import io.redrive.operations.flow.Flows;
import io.redrive.operations.flow.GroupFlow;
import java.time.Instant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "status",
        description =
                "Show lag, held records, blocked keys, paused partitions and dead letters by group and topic, and the"
                        + " nodes that own the partitions. Nodes report every five seconds; brokers are not asked.")
final class KafkaStatus extends OperationsCommand {

    @Option(names = "--partitions", description = "Also list partitions, with their owners.")
    private boolean partitions;

    @Option(names = "--json", description = "One JSON object, with partitions.")
    private boolean json;

    KafkaStatus(Context context) {
        super(context);
    }

    @Override
    protected int run(Operations operations) {
        Flows flows = operations.flows();
        if (json) {
            say(FlowJson.of(flows));
        } else if (flows.groups().isEmpty()) {
            say("no node has reported a flow from Kafka");
            note("a node reports when its pipeline runs on a KafkaFlow above this store; see docs/guide/kafka.md");
        } else {
            Instant now = context().time().now();
            flows.groups().forEach(group -> show(group, now));
            say(FlowTables.count(flows.waiting()) + " events wait in the store, of all groups and of publishers");
        }
        return 0;
    }

    private void show(GroupFlow group, Instant now) {
        String name = "group " + Printable.line(group.group());
        if (group.running() == 0) {
            say(paint().red(name + ": no node runs") + "; the figures below are the last ones");
        } else {
            say(name + ": lag " + FlowTables.count(group.lag()) + ", " + FlowTables.counted(group.running(), "node")
                    + (group.running() == 1 ? " runs" : " run"));
        }
        if (!group.topics().isEmpty()) {
            say(FlowTables.topics(group));
        }
        if (group.topicsLeftOut() > 0) {
            note("and " + FlowTables.counted(group.topicsLeftOut(), "topic")
                    + " with less lag, which the nodes' reports" + " left out");
        }
        say("");
        say(FlowTables.nodes(group, now));
        if (partitions && !group.partitions().isEmpty()) {
            say("");
            say(FlowTables.partitions(group));
            if (group.partitionsLeftOut() > 0) {
                note("and " + FlowTables.counted(group.partitionsLeftOut(), "partition")
                        + " with less lag, which the nodes' reports left out");
            }
        }
        boolean hasStale = group.nodes().stream().anyMatch(node -> node.state() == FlowNode.State.STALE);
        if (hasStale && group.running() > 0) {
            note("stale nodes have not reported for 15 seconds; their figures do not count");
        }
        say("");
    }
}
