package io.redrive.cli.kafka;

import io.redrive.cli.command.CommandGroup;
import io.redrive.cli.command.Context;
import io.redrive.cli.command.NamedCommands;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command group {@code redrive kafka}. */
@Command(name = "kafka", description = "Look at the flow of records from topics of Kafka.")
public final class KafkaCommand extends CommandGroup {

    /** Returns the group, with the command that {@code words} name or with all commands. */
    public static CommandLine in(Context context, List<String> words) {
        return new NamedCommands().with("status", KafkaStatus::new).below(new KafkaCommand(), context, words);
    }
}
