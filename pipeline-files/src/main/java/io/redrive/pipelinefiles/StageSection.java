package io.redrive.pipelinefiles;

import io.redrive.core.DurationText;
import io.redrive.items.RateLimit;
import io.redrive.items.Stage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.core.JsonPointer;

/**
 * The section of one stage in a pipeline file; reads the settings that several stage kinds share.
 *
 * @param keys the keys of the stage
 * @param folder the folder of the pipeline file
 * @param context what the stage needs from the process that runs it
 * @param maxPayload the maximum number of bytes in a sample
 */
record StageSection(YamlSection keys, Path folder, RunContext context, int maxPayload) {

    private static final int MAX_BATCH = 10_000;

    /**
     * Samples that share one call.
     *
     * @param size the maximum number of samples in a call
     * @param waiting how long a call waits for more samples; empty for the default of {@link Stage}
     */
    record Batch(int size, Optional<Duration> waiting) {}

    Template template(YamlValue value) {
        return value.as(text -> Template.parse(text, environment()));
    }

    JsonTemplate jsonTemplate(YamlValue value) {
        try {
            return JsonTemplate.of(value.json(), environment());
        } catch (IllegalArgumentException e) {
            throw e.getMessage().startsWith(value.file().toString()) ? e : value.wrong(e.getMessage(), e);
        }
    }

    Map<String, String> environment() {
        return context.variables();
    }

    /**
     * Reads which parts of an answer go where in the sample: a single pointer under {@code key} with {@code into}, or a mapping
     * under {@code key} from pointers into the sample to pointers into the answer.
     */
    Answers answers(String key) {
        Optional<YamlValue> pick = keys.find(key);
        if (pick.isEmpty() || !pick.get().isMapping()) {
            return Answers.of(pointer(key), pointer("into"));
        }
        keys.find("into").ifPresent(into -> {
            throw into.wrong(
                    "must not be there with a mapping as '" + key + "', whose keys are the places in the sample");
        });
        List<Answers.Pick> picks = new ArrayList<>();
        pick.get()
                .members()
                .forEach((place, part) -> picks.add(new Answers.Pick(part.as(Parse::pointer), place(place, part))));
        if (picks.isEmpty()) {
            throw pick.get().wrong("must name at least one part, such as {/summary: /choices/0/text}");
        }
        return new Answers(picks);
    }

    private static JsonPointer place(String place, YamlValue part) {
        if (!place.startsWith("/")) {
            throw part.wrong("must be under a key that is a JSON pointer into the sample, such as /summary, got '"
                    + place + "'");
        }
        try {
            return Parse.pointer(place);
        } catch (IllegalArgumentException e) {
            throw part.wrong("has a key that " + e.getMessage() + ", got '" + place + "'", e);
        }
    }

    JsonPointer pointer(String key) {
        return keys.get(key, Parse::pointer, JsonPointer.empty());
    }

    /** Returns false with {@code answer: text}. */
    boolean answersInJson() {
        return keys.get("answer", text -> Parse.word(text, "json", "text"), "json")
                .equals("json");
    }

    Optional<Batch> batch() {
        Optional<YamlValue> value = keys.find("batch");
        if (value.isEmpty() || !value.get().isMapping()) {
            return value.map(size -> new Batch(size.as(StageSection::batchSize), Optional.empty()));
        }
        YamlSection batch = new YamlSection(value.get());
        int size = batch.required("size", "32").as(StageSection::batchSize);
        Optional<Duration> waiting = batch.find("wait").map(wait -> wait.as(DurationText::parse));
        batch.done();
        return Optional.of(new Batch(size, waiting));
    }

    private static int batchSize(String text) {
        int size = Parse.count(text);
        if (size > MAX_BATCH) {
            throw new IllegalArgumentException("must be at most " + MAX_BATCH);
        }
        return size;
    }

    /**
     * Returns the stage with the settings of every stage kind: concurrency, time limit and rate limit.
     *
     * @param kind the key whose value is the name of the stage
     * @param made creates the stage from its name
     */
    Stage<String, String> named(String kind, Function<String, Stage<String, String>> made) {
        YamlValue name = keys.required(kind, "a name");
        Stage<String, String> stage = name.as(made);
        stage = set("concurrency", Parse::count, stage::concurrency).orElse(stage);
        stage = set("time-limit", DurationText::parse, stage::timeLimit).orElse(stage);
        Optional<YamlValue> limit = keys.find("rate-limit");
        if (limit.isPresent() && limit.get().isMapping()) {
            Optional<RateLimit> calls =
                    new YamlSection(limit.get()).find("calls").map(value -> value.as(Parse::rate));
            stage = calls.map(stage::rateLimit).orElse(stage);
        } else {
            stage = set("rate-limit", Parse::rate, stage::rateLimit).orElse(stage);
        }
        return stage.config(keys.value().json().toString());
    }

    /** Reads the token limit of a stage whose answers hold the number of tokens. */
    Optional<TokenLimit> tokenLimit(String stage) {
        Optional<YamlValue> limit = keys.find("rate-limit").filter(YamlValue::isMapping);
        return limit.map(value -> {
            YamlSection section = new YamlSection(value);
            section.find("calls");
            TokenLimit tokens = TokenLimit.read(section, stage);
            section.done();
            return tokens;
        });
    }

    private <T> Optional<Stage<String, String>> set(
            String key, Function<String, T> parse, Function<T, Stage<String, String>> change) {
        return keys.find(key).map(value -> value.as(text -> change.apply(parse.apply(text))));
    }
}
