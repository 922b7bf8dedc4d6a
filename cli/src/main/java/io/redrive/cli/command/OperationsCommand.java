package io.redrive.cli.command;

import io.redrive.core.SettingException;
import io.redrive.events.EventStore;
import io.redrive.events.redaction.Redaction;
import io.redrive.events.redaction.RedactionMode;
import io.redrive.operations.Operations;
import io.redrive.operations.Operator;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * A command that looks at a store or a server through {@link Operations}. Whoever can open the store with its file or its password
 * may do everything, so the role is admin; a server knows the role of the caller.
 */
public abstract class OperationsCommand extends StoreCommand {

    private static final String VARIABLE = "REDRIVE_REDACTION";

    @Option(
            names = "--redaction",
            paramLabel = "FILE",
            description = "Rules for values that must not be shown, one in each line: /card/number, header:NAME,"
                    + " pattern:EXPRESSION. REDRIVE_REDACTION in the environment when not given.")
    private @Nullable String redaction;

    protected OperationsCommand(Context context) {
        super(context);
    }

    @Override
    protected final int run(EventStore store) throws Exception {
        return run(Operations.of(store, operator(), context().time()).showing(redaction()));
    }

    private Redaction redaction() throws IOException {
        String file = redaction == null ? context().environment().get(VARIABLE) : redaction;
        if (file == null || file.isBlank()) {
            return Redaction.NONE;
        }
        try {
            return Redaction.ofLines(Files.readAllLines(Path.of(file)), RedactionMode.SHOWN);
        } catch (NoSuchFileException | CharacterCodingException e) {
            // Showing the values that the rules were meant to hide would be worse than showing nothing.
            throw wrong("the rules for redaction must be a text file that exists, got '" + file + "'");
        } catch (SettingException e) {
            throw wrong(file + ", " + e.getMessage());
        }
    }

    @Override
    protected void checkServer() {
        if (redaction != null || context().environment().get(VARIABLE) != null) {
            // Showing the values that the rules were meant to hide would be worse than showing nothing.
            throw new IllegalArgumentException("--redaction and " + VARIABLE
                    + " must not be given with a server: the rules of its configuration hold, redrive.redaction");
        }
        boolean named = spec().mixins().values().stream()
                .anyMatch(mixin -> mixin.userObject() instanceof OperatorOption option && option.isGiven());
        if (named) {
            throw new IllegalArgumentException(
                    "--operator must not be given with a server, which records the name of the token or user");
        }
    }

    /** Returns the operator of the command: the account of this process. */
    protected Operator operator() {
        return OperatorOption.account();
    }
}
