package io.redrive.cli.dlq;

import io.redrive.cli.command.CommandGroup;
import io.redrive.cli.command.Context;
import io.redrive.cli.command.NamedCommands;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command group {@code redrive dlq}. */
@Command(
        name = "dlq",
        description = "Look at dead letters, repair them, bring them back.",
        footerHeading = "%nThe way back, most days:%n",
        footer = {
            "  redrive dlq groups --store FILE                   what went wrong, by cause",
            "  redrive dlq show 17 --store FILE                  one letter with its history",
            "  redrive dlq edit 17 --store FILE                  repair its payload, if that is the cause",
            "  redrive dlq redrive --canary --fingerprint F --store FILE"
        })
public final class DlqCommand extends CommandGroup {

    /** Returns the group, with the command that {@code words} name or with all commands. */
    public static CommandLine in(Context context, List<String> words) {
        return new NamedCommands()
                .with("list", DlqList::new)
                .with("groups", DlqGroups::new)
                .with("show", DlqShow::new)
                .with("diff", DlqDiff::new)
                .with("edit", DlqEdit::new)
                .with("repair", DlqRepair::new)
                .with("redrive", DlqRedrive::new)
                .with("purge", DlqPurge::new)
                .with("retire", DlqRetire::new)
                .with("export", DlqExport::new)
                .with("import", DlqImport::new)
                .with("test", DlqTest::new)
                .with("actions", DlqActions::new)
                .below(new DlqCommand(), context, words);
    }
}
