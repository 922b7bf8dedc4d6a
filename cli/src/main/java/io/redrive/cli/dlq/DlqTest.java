package io.redrive.cli.dlq;

import io.redrive.cli.command.Context;
import io.redrive.cli.command.JsonObject;
import io.redrive.core.SettingException;
import io.redrive.events.redaction.Redaction;
import io.redrive.operations.GeneratedTest;
import io.redrive.operations.Operations;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "test",
        description = {
            "Write a JUnit test that publishes a letter's event again and fails as the letter did.",
            "Put a call of your handler into it, and it shows whether the handler is fixed. Needs redrive-pipeline and JUnit."
        })
final class DlqTest extends LetterCommand {

    @Parameters(paramLabel = "ID", description = "The letter's id, or the event's.")
    private String id = "";

    @Option(names = "--out", paramLabel = "DIR", description = "The folder for the test (default: ${DEFAULT-VALUE}).")
    private Path folder = Path.of(".");

    @Option(names = "--package", paramLabel = "P", description = "The package of the test (default: none).")
    private String packageName = "";

    @Option(
            names = "--redact",
            paramLabel = "RULE",
            description = "Replace a value: a JSON pointer such as /card/number or /items/*/iban, header:NAME or"
                    + " pattern:EXPRESSION; may be repeated.")
    private List<String> redact = List.of();

    @Option(names = "--force", description = "Replace files that exist.")
    private boolean force;

    @Option(names = "--json", description = "One JSON object on one line: the letter and the files.")
    private boolean json;

    DlqTest(Context context) {
        super(context);
    }

    @Override
    protected int run(Operations operations) throws IOException {
        long letter = letter(operations.letters(), id).id();
        GeneratedTest test = operations
                .letters()
                .test(letter, packageName, rules())
                .orElseThrow(() -> wrong("letter " + letter + " was redriven or purged meanwhile"));
        if (!Files.isDirectory(folder)) {
            throw new IllegalArgumentException("--out must be a folder that exists, got '" + folder + "'");
        }
        Path source = free(test.fileName());
        JsonObject told = new JsonObject().put("letter", letter).put("test", source.toString());
        if (test.payload().isPresent()) {
            Path payload = free(test.payloadName());
            Files.write(payload, test.payload().get());
            told.put("payload", payload.toString());
            note(payload + " is the payload; move it to the resources of your tests, into the package of the test");
        }
        Files.writeString(source, test.source(), StandardCharsets.US_ASCII);
        say(json ? told.toString() : source.toString());
        return 0;
    }

    private Redaction rules() {
        try {
            return Redaction.of(redact);
        } catch (SettingException e) {
            throw wrong("--redact " + e.complaint());
        }
    }

    private Path free(String name) {
        Path file = folder.resolve(name);
        if (Files.exists(file) && !force) {
            throw new IllegalArgumentException(
                    "the file must be new, got '" + file + "', which exists; --force replaces it");
        }
        return file;
    }
}
