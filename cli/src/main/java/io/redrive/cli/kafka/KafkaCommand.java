package io.redrive.cli.kafka;

import io.redrive.cli.command.CommandGroup;
import io.redrive.cli.command.Context;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command group {@code redrive kafka}. */
@Command(name = "kafka", description = "Look at the flow of records from topics of Kafka.")
public final class KafkaCommand extends CommandGroup {

    /** Returns the group with all commands. */
    public static CommandLine in(Context context) {
        return new CommandLine(new KafkaCommand()).addSubcommand(new KafkaStatus(context));
    }
}
