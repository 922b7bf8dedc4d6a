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
 * The section of one stage, with readers for the settings that all kinds of stages share.
 *
 * @param keys the keys of the section
 * @param folder the folder of the pipeline file
 * @param context the environment, clock and stop signal of the run
 * @param maxPayload the largest sample in bytes
 */
record StageSection(YamlSection keys, Path folder, RunContext context, int maxPayload) {

    private static final int MAX_BATCH = 10_000;

    /** The size of batches, and how long an incomplete batch waits for samples. */
    record Batch(int size, Optional<Duration> waiting) {}

    Template template(YamlValue value) {
        return value.as(text -> Template.parse(text, environment()));
    }

    JsonTemplate jsonTemplate(YamlValue value) {
        try {
            return JsonTemplate.of(value.json(), environment());
        } catch (RefusedValueException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw value.wrong(e.getMessage(), e);
        }
    }

    Map<String, String> environment() {
        return context.variables();
    }

    /** Reads the picks: a pointer into the answer, or a mapping from places in the sample to places in the answer. */
    Answers answers(String key) {
        Optional<YamlValue> pick = keys.find(key);
        if (pick.isEmpty() || !pick.get().isMapping()) {
            return Answers.of(pointer(key), pointer("into"));
        }
        keys.find("into").ifPresent(into -> {
            throw into.wrong(
                    "must not be set with a mapping as '" + key + "', whose keys are the places in the sample");
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

    /** Returns false when answers are text. */
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
            throw new RuleException("must be at most " + MAX_BATCH);
        }
        return size;
    }

    /** Makes the stage with the name under the key {@code kind}, and applies concurrency, time limit and rate limit. */
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

    /** Reads the limit by tokens, for a stage whose answers have the number of tokens. */
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
