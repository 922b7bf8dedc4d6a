package io.redrive.cli.causes;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.OperatorOption;
import io.redrive.operations.CauseOperations;
import io.redrive.operations.CauseView;
import io.redrive.operations.Operations;
import io.redrive.operations.Operator;
import java.util.Optional;
import picocli.CommandLine.Mixin;

/** A command that changes one cause; {@code --operator} names the operator in the record of actions. */
abstract class ChangeCommand extends CauseCommand {

    @Mixin
    private OperatorOption operator = new OperatorOption();

    ChangeCommand(Context context) {
        super(context);
    }

    @Override
    protected final Operator operator() {
        return operator.operator();
    }

    @Override
    protected final int run(Operations operations) {
        return changed(change(operations.causes()));
    }

    /** Makes the change and returns the cause; empty when the store does not know the cause. */
    abstract Optional<CauseView> change(CauseOperations causes);
}
