package io.redrive.pipelinefiles;

import io.redrive.core.RetryPolicy;
import io.redrive.items.Stage;
import io.redrive.items.StageOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads the section of one stage. */
final class StageReader {

    private final StageSection section;
    private final YamlSection keys;
    private final List<AutoCloseable> resources = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    StageReader(StageSection section) {
        this.section = section;
        keys = section.keys();
    }

    /** Returns the open processes of the stage. */
    List<AutoCloseable> resources() {
        return resources;
    }

    List<String> warnings() {
        return warnings;
    }

    Stage<String, String> read() {
        List<String> kinds =
                Stream.of("http", "command", "filter").filter(keys::has).toList();
        if (kinds.size() != 1) {
            throw keys.value()
                    .wrong("must have one of the keys http, command, filter, such as 'http: summarize', got "
                            + String.join(kinds.isEmpty() ? ", " : " and ", kinds.isEmpty() ? keys.given() : kinds));
        }
        Stage<String, String> stage = switch (kinds.get(0)) {
            case "http" -> http();
            case "command" -> command();
            default -> filter();
        };
        keys.done();
        return stage;
    }

    private Stage<String, String> http() {
        Stage<String, String> stage = HttpReader.read(section);
        return stage.policy(policy(StagePolicy.http(keys, section.environment())));
    }

    private Stage<String, String> command() {
        CommandReader reader = new CommandReader(section);
        Stage<String, String> stage = reader.read();
        reader.resource().ifPresent(resources::add);
        return stage.policy(policy(StagePolicy.command(keys, section.environment())));
    }

    private Stage<String, String> filter() {
        YamlValue where = keys.required("where", "/lang == \"en\"");
        List<Condition> conditions = (where.isList() ? where.items() : List.of(where))
                .stream().map(value -> value.as(Condition::parse)).toList();
        // A filter cannot hang, and another attempt would give the same outcome.
        return section.named(
                "filter",
                name -> Stage.<String, String>of(name, null, (value, context) -> {
                            JsonValue sample = JsonValue.parse(value);
                            Optional<String> refusal = conditions.stream()
                                    .flatMap(condition -> condition.refusal(sample).stream())
                                    .findFirst();
                            return refusal.isPresent() ? StageOutcome.skip(refusal.get()) : StageOutcome.value(value);
                        })
                        .withoutTimeLimit()
                        .policy(RetryPolicy.noRetry()));
    }

    private RetryPolicy policy(RetryPolicy policy) {
        policy.explain().warnings().forEach(warning -> warnings.add(keys.value().path() + ".retry: " + warning));
        return policy;
    }
}
