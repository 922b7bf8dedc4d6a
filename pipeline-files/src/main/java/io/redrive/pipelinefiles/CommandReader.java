package io.redrive.pipelinefiles;

import io.redrive.items.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the section of a stage of kind {@code command}. */
final class CommandReader {

    /** Only the user can decide to start several long-lived processes: each may hold a model in memory. */
    private static final int LINES_CONCURRENCY = 1;

    private static final int ONCE_CONCURRENCY = 4;
    private static final int MAX_PROCESSES = 256;

    private final StageSection section;
    private final YamlSection keys;
    private Optional<AutoCloseable> resource = Optional.empty();

    CommandReader(StageSection section) {
        this.section = section;
        keys = section.keys();
    }

    /** Returns the processes, which must be closed when the run has ended. */
    Optional<AutoCloseable> resource() {
        return resource;
    }

    Stage<String, String> read() {
        boolean once = keys.get("mode", text -> Parse.word(text, "lines", "once"), "lines")
                .equals("once");
        keys.find("rate-limit").filter(YamlValue::isMapping).ifPresent(limit -> {
            throw limit.wrong("must be calls per time for a command, such as 20/s, got a mapping");
        });
        Optional<StageSection.Batch> batch = section.batch();
        Program program = program(keys.required("run", "[python3, embed.py]"), once);
        JsonTemplate item = keys.find("item").map(section::jsonTemplate).orElse(JsonTemplate.sample());
        boolean json = section.answersInJson();
        CommandPlan plan = new CommandPlan(
                keys.required("command", "a name").text(),
                program,
                item,
                section.pointer("match"),
                section.answers("pick"),
                json,
                section.maxPayload());
        Stage<String, String> stage = once ? once(plan, batch) : lines(plan, batch);
        if (stage.concurrency() > MAX_PROCESSES) {
            throw keys.required("concurrency", "")
                    .wrong("must be at most " + MAX_PROCESSES + " for a command, which has as many processes, got "
                            + stage.concurrency());
        }
        return stage;
    }

    private Stage<String, String> once(CommandPlan plan, Optional<StageSection.Batch> batch) {
        if (batch.isPresent()) {
            throw keys.required("batch", "")
                    .wrong("must not be set with 'mode: once', which takes one sample at a time");
        }
        OnceCommand command = new OnceCommand(plan, section.context().stop());
        return section.named("command", name -> Stage.of(name, null, command).concurrency(ONCE_CONCURRENCY));
    }

    private Stage<String, String> lines(CommandPlan plan, Optional<StageSection.Batch> batch) {
        LineCommand command = new LineCommand(plan, section.context().stop());
        resource = Optional.of(command);
        return section.named("command", name -> {
            Stage<String, String> single = Stage.of(name, null, command);
            Stage<String, String> stage =
                    batch.map(size -> batched(name, size, command)).orElse(single);
            return stage.concurrency(LINES_CONCURRENCY);
        });
    }

    private static Stage<String, String> batched(String name, StageSection.Batch batch, LineCommand command) {
        Stage<String, String> stage = Stage.batchOf(name, batch.size(), null, command);
        return batch.waiting().map(stage::batchWait).orElse(stage);
    }

    /** Reads {@code run}: a list is the program and its arguments, a text is a command of the shell. */
    private Program program(YamlValue run, boolean once) {
        List<Template> words = new ArrayList<>();
        if (run.isList()) {
            run.items().forEach(word -> words.add(section.template(word)));
        } else {
            words.addAll(
                    List.of(Template.parse("sh", Map.of()), Template.parse("-c", Map.of()), section.template(run)));
        }
        if (words.isEmpty()) {
            throw run.wrong("must name a program, such as [python3, embed.py]");
        }
        boolean fixed = words.stream().allMatch(Template::isFixed);
        if (!fixed && !once) {
            throw run.wrong(
                    "must not have placeholders, because one process serves all samples; 'mode: once' has a process for each");
        }
        if (!fixed && !run.isList()) {
            throw run.wrong("must be a list when it has placeholders, because a shell would run text of the sample");
        }
        Program program = new Program(words, section.folder());
        try {
            program.check(section.environment().getOrDefault("PATH", ""));
        } catch (IllegalArgumentException e) {
            throw run.wrong(e.getMessage(), e);
        }
        return program;
    }
}
