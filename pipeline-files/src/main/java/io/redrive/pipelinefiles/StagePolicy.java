package io.redrive.pipelinefiles;

import io.redrive.core.AttemptTimeoutException;
import io.redrive.core.Presets;
import io.redrive.core.RetryPolicy;
import io.redrive.core.RetryVariables;
import io.redrive.core.SettingException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Makes the policy of a stage from the settings under {@code retry}, which core reads. A setting that is left out comes from the
 * {@link RetryVariables}, or else from the preset {@code stage}. A {@link SampleException} is never retried.
 */
final class StagePolicy {

    private static final int[] TRANSIENT = {408, 425, 429, 500, 502, 503, 504};

    private StagePolicy() {}

    /** Returns the policy of a command stage: all failures are retried, unless settings restrict them. */
    static RetryPolicy command(YamlSection stage, Map<String, String> environment) {
        return read(stage, environment)
                .policy()
                .doNotRetryOn(SampleException.class)
                .build();
    }

    /**
     * Returns the policy of an HTTP stage. Retries transient statuses, lost connections, exceeded time limits and bad answers.
     * {@code retry-on-status} replaces the statuses, {@code retry-on} the remaining failures.
     */
    @SuppressWarnings("unchecked")
    static RetryPolicy http(YamlSection stage, Map<String, String> environment) {
        Settings settings = read(stage, environment);
        RetryPolicy.Builder policy = settings.policy().doNotRetryOn(SampleException.class);
        if (!settings.has("retry-on-status")) {
            policy.retryOnStatus(TRANSIENT);
        }
        if (!settings.has("retry-on")) {
            policy.retryOn(IOException.class, AttemptTimeoutException.class, AnswerException.class);
        }
        return policy.build();
    }

    private record Settings(Map<String, YamlValue> given, RetryPolicy.Builder policy) {
        boolean has(String key) {
            return given.containsKey(key);
        }
    }

    private static Settings read(YamlSection stage, Map<String, String> environment) {
        Optional<YamlValue> retry = stage.find("retry");
        Map<String, YamlValue> given = retry.map(YamlValue::members).orElse(Map.of());
        Map<String, String> texts = new LinkedHashMap<>();
        texts.putAll(RetryVariables.below(given.keySet(), environment));
        given.forEach((key, value) -> texts.put(key, text(value)));
        try {
            return new Settings(given, Presets.STAGE.with(texts).toBuilder());
        } catch (SettingException e) {
            throw retry.map(value -> wrong(value, given, e)).orElse(e);
        }
    }

    private static String text(YamlValue value) {
        return value.isList()
                ? value.items().stream().map(YamlValue::text).collect(Collectors.joining(","))
                : value.text();
    }

    /** Returns the refusal with the line of its key; a missing key has the line of the mapping. */
    private static IllegalArgumentException wrong(
            YamlValue retry, Map<String, YamlValue> given, SettingException refusal) {
        YamlValue at = given.get(refusal.key());
        if (at == null || refusal.isUnknownKey()) {
            return (at == null ? retry : at).wrong(refusal.getMessage(), refusal);
        }
        return at.wrong(refusal.complaint(), refusal);
    }
}
