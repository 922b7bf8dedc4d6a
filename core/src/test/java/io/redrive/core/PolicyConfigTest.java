package io.redrive.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Policies from maps, properties and the environment. */
class PolicyConfigTest {

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "''                                     | 3 attempts, exponential 100ms ×2, max 10s, jitter ±10%",
                "max-attempts=7                         | 7 attempts, exponential 100ms ×2, max 10s, jitter ±10%",
                "max-attempts= 7                     | 7 attempts, exponential 100ms ×2, max 10s, jitter ±10%",
                "max-attempts=                          | 3 attempts, exponential 100ms ×2, max 10s, jitter ±10%",
                "preset=visibility                      | 8 attempts, exponential 250ms ×2, max 1m, full jitter, within 30m",
                "preset=stage;max-attempts=9            | 9 attempts, exponential 1s ×2, max 1m, jitter ±25%",
                "preset=stage;initial-delay=2s          | 3 attempts, exponential 2s ×2, max 1m, jitter ±25%",
                "initial-delay=1s;max-delay=1m;multiplier=1.5 | 3 attempts, exponential 1s ×1.5, max 1m, jitter ±10%",
                "initial-delay=30s                      | 3 attempts, exponential 30s ×2, max 30s, jitter ±10%",
                "backoff=none                           | 3 attempts, no backoff, jitter ±10%",
                "backoff=fixed;initial-delay=2s         | 3 attempts, fixed 2s, jitter ±10%",
                "backoff=linear;initial-delay=1s;increment=2s | 3 attempts, linear 1s +2s, max 10s, jitter ±10%",
                "backoff=linear;initial-delay=1s        | 3 attempts, linear 1s +1s, max 10s, jitter ±10%",
                "backoff=delays;delays=1s, 5s,30s       | 3 attempts, delays 1s, 5s, 30s, jitter ±10%",
                "delays=1s,, 5s,                        | 3 attempts, delays 1s, 5s, jitter ±10%",
                "max-attempts=1                         | 1 attempt",
                "multiplier=1;initial-delay=0s          | 3 attempts, exponential 0ms ×1, max 10s, jitter ±10%",
                "initial-delay-seconds=0                | 5 attempts, exponential 0ms ×2, max 5m, no jitter",
                "delays=1s,5s                           | 3 attempts, delays 1s, 5s, jitter ±10%",
                "jitter=none                            | 3 attempts, exponential 100ms ×2, max 10s, no jitter",
                "jitter=full                            | 3 attempts, exponential 100ms ×2, max 10s, full jitter",
                "jitter=equal                           | 3 attempts, exponential 100ms ×2, max 10s, equal jitter",
                "jitter=decorrelated                    | 3 attempts, exponential 100ms ×2, max 10s, decorrelated jitter",
                "jitter=0.3                             | 3 attempts, exponential 100ms ×2, max 10s, jitter ±30%",
                "jitter=factor:0.3                      | 3 attempts, exponential 100ms ×2, max 10s, jitter ±30%",
                "jitter=additive: 0.3                   | 3 attempts, exponential 100ms ×2, max 10s, additive jitter +30%",
                "max-duration=5m                        | 3 attempts, exponential 100ms ×2, max 10s, jitter ±10%, within 5m",
                "enabled=true;preset=actor              | 3 attempts, exponential 100ms ×2, max 10s, jitter ±10%",
                "enabled=FALSE;max-attempts=7           | 1 attempt",
                "initial-delay-seconds=5;max-delay-seconds=300;backoff-multiplier=2.0;max-attempts=5;enabled=true "
                        + "| 5 attempts, exponential 5s ×2, max 5m, no jitter",
                "backoff-multiplier=3                   | 5 attempts, exponential 5s ×3, max 5m, no jitter",
                "max-delay-seconds=60                   | 5 attempts, exponential 5s ×2, max 1m, no jitter",
                "initial-delay-seconds=0.5              | 5 attempts, exponential 500ms ×2, max 5m, no jitter",
            })
    void settings_make_the_policy_they_say(String settings, String policy) {
        assertThat(RetryPolicy.fromMap(map(settings))).hasToString(policy);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "max-attempts=0      | max-attempts: must be at least 1, got '0'",
                "max-attempts=many   | max-attempts: must be a whole number, got 'many'",
                "max-attempts=2.5    | max-attempts: must be a whole number, got '2.5'",
                "max-atempts=3       | unknown setting 'max-atempts' = '3'; did you mean max-attempts? known settings: backoff, ",
                "enabled=yes         | enabled: must be true or false, got 'yes'",
                "preset=fast         | preset: must be one of events, stage, actor, visibility, connection, webhook, got 'fast'",
                "backoff=quadratic   | backoff: must be one of none, fixed, linear, exponential, delays, got 'quadratic'",
                "backoff=delays      | delays: is required with backoff delays",
                "initial-delay=5     | initial-delay: duration must be a number with a unit",
                "initial-delay=PT-5S | initial-delay: must not be negative, got 'PT-5S'",
                "backoff=fixed;initial-delay=PT-5S | initial-delay: must not be negative, got 'PT-5S'",
                "backoff=linear;increment=PT-5S    | increment: must not be negative, got 'PT-5S'",
                "delays=1s,PT-5S     | delays: must not be negative, got 'PT-5S'",
                "initial-delay=2s;max-delay=1s     | max-delay: must be at least the initial delay of 2s, got '1s'",
                "max-delay-seconds=1 | max-delay-seconds: must be at least the initial delay of 5s, got '1'",
                "backoff=linear;initial-delay=2s;max-delay=1s | max-delay: must be at least the initial delay of 2s, got '1s'",
                "multiplier=0.5      | multiplier: must be a finite number of at least 1, got '0.5'",
                "multiplier=NaN      | multiplier: must be a finite number of at least 1, got 'NaN'",
                "multiplier=twice    | multiplier: must be a number, got 'twice'",
                "backoff-multiplier=Infinity       | backoff-multiplier: must be a finite number of at least 1",
                "multiplier=2;backoff-multiplier=3 | multiplier: must not be given together with backoff-multiplier, got '2'",
                "initial-delay=1s;initial-delay-seconds=1 | initial-delay: must not be given together with initial-delay-seconds",
                "initial-delay-seconds=-1          | initial-delay-seconds: must not be negative, got '-1'",
                "initial-delay-seconds=soon        | initial-delay-seconds: must be a number, got 'soon'",
                "jitter=1.5          | jitter: must be between 0 and 1, got '1.5'",
                "jitter=additive:2   | jitter: must be between 0 and 1, got 'additive:2'",
                "jitter=some         | jitter: must be none, full, equal, decorrelated, factor:0.2, additive:0.2 or a number",
                "jitter=factor       | jitter: must be none, full, equal, decorrelated",
                "max-duration=0s     | max-duration: must be longer than zero, got '0s'",
                "retry-on=java.io.Foo    | retry-on: must name exception classes on the class path, such as"
                        + " java.io.IOException, got 'java.io.Foo'",
                "do-not-retry-on=java.lang.String | do-not-retry-on: must name exception classes on the class path",
                "retry-on-status=700 | retry-on-status: HTTP status must be between 100 and 599, got '700'",
                "retry-on-status=5xx | retry-on-status: must be a whole number, got '5xx'",
            })
    void a_bad_value_is_refused_with_key_rule_and_value(String settings, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetryPolicy.fromMap(map(settings)))
                .withMessageStartingWith(message);
    }

    @Test
    void classification_comes_from_settings_too() {
        RetryPolicy policy = RetryPolicy.fromMap(Map.of(
                "retry-on", "java.io.IOException, java.util.concurrent.TimeoutException",
                "do-not-retry-on", "java.io.FileNotFoundException",
                "retry-on-status", "429,503",
                "retry-on-kind", "timeout, econnrefused"));
        assertThat(retries(policy, Failure.thrown(new IOException()))).isTrue();
        assertThat(retries(policy, Failure.thrown(new TimeoutException()))).isTrue();
        assertThat(retries(policy, Failure.thrown(new FileNotFoundException()))).isFalse();
        assertThat(retries(policy, Failure.thrown(new IllegalStateException()))).isFalse();
        assertThat(retries(policy, Failure.status(503))).isTrue();
        assertThat(retries(policy, Failure.status(500))).isFalse();
        assertThat(retries(policy, Failure.kind("econnrefused"))).isTrue();
    }

    @Test
    void properties_are_read_under_their_prefix_alone() {
        Properties properties = new Properties();
        properties.setProperty("discord.retry.max-attempts", "4");
        properties.setProperty("discord.retry.initial-delay-seconds", "1");
        properties.setProperty("discord.retries", "ignored");
        properties.setProperty("other.retry.max-attempts", "9");
        assertThat(RetryPolicy.fromProperties(properties, "discord.retry"))
                .hasToString("4 attempts, exponential 1s ×2, max 5m, no jitter");
        properties.setProperty("discord.retry.max-attempts", "0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetryPolicy.fromProperties(properties, "discord.retry"))
                .withMessage("discord.retry.max-attempts: must be at least 1, got '0'");
        assertThat(RetryPolicy.fromProperties(new Properties(), "x"))
                .hasToString(RetryPolicy.builder().build().toString());
    }

    @Test
    void the_environment_changes_the_visibility_preset() {
        assertThat(RetryPolicy.fromEnvironment(Map.of("PATH", "/bin"))).hasToString(Presets.VISIBILITY.toString());
        assertThat(RetryPolicy.fromEnvironment(Map.of(
                        "RETRY_MAX_ATTEMPTS", "4",
                        "RETRY_BASE_DELAY_MS", "100",
                        "RETRY_BACKOFF_FACTOR", "1.5",
                        "RETRY_MAX_DELAY_SECONDS", "30",
                        "RETRY_TTL_MINUTES", "10")))
                .hasToString("4 attempts, exponential 100ms ×1.5, max 30s, full jitter, within 10m");
        assertThat(RetryPolicy.fromEnvironment(Map.of("RETRY_MAX_DELAY_SECONDS", "0.25")))
                .hasToString("8 attempts, exponential 250ms ×2, max 250ms, full jitter, within 30m");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "RETRY_MAX_ATTEMPTS=0        | RETRY_MAX_ATTEMPTS: must be at least 1, got '0'",
                "RETRY_BASE_DELAY_MS=-1      | RETRY_BASE_DELAY_MS: must not be negative, got '-1'",
                "RETRY_BASE_DELAY_MS=quick   | RETRY_BASE_DELAY_MS: must be a whole number, got 'quick'",
                "RETRY_BACKOFF_FACTOR=0.9    | RETRY_BACKOFF_FACTOR: must be a finite number of at least 1, got '0.9'",
                "RETRY_MAX_DELAY_SECONDS=-5  | RETRY_MAX_DELAY_SECONDS: must not be negative, got '-5'",
                "RETRY_MAX_DELAY_SECONDS=0.1 | RETRY_MAX_DELAY_SECONDS: must not be shorter than RETRY_BASE_DELAY_MS of"
                        + " 250ms, got '100ms'",
                "RETRY_TTL_MINUTES=-1        | RETRY_TTL_MINUTES: must be more than 0, got '-1'",
                "RETRY_TTL_MINUTES=0         | RETRY_TTL_MINUTES: must be more than 0, got '0'",
                "RETRY_TTL_MINUTES=long      | RETRY_TTL_MINUTES: must be a number, got 'long'",
            })
    void a_bad_variable_is_refused_with_its_name(String variable, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetryPolicy.fromEnvironment(map(variable)))
                .withMessage(message);
    }

    @Test
    void the_builder_checks_its_arguments() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetryPolicy.builder().maxAttempts(0))
                .withMessage("maxAttempts must be at least 1, got 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetryPolicy.builder().maxDuration(Duration.ZERO))
                .withMessage("maxDuration must be longer than zero, got PT0S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetryPolicy.builder().jitter(2))
                .withMessage("jitter factor must be between 0 and 1, got 2.0");
    }

    private static boolean retries(RetryPolicy policy, Failure failure) {
        return policy.decide(Attempt.first(failure, Seeds.random(0))) instanceof Decision.RetryAfter;
    }

    private static Map<String, String> map(String settings) {
        Map<String, String> map = new LinkedHashMap<>();
        for (String setting : settings.split(";")) {
            if (!setting.isEmpty()) {
                String[] parts = setting.split("=", 2);
                map.put(parts[0], parts[1]);
            }
        }
        return map;
    }

    @Test
    void the_longest_wait_for_a_hint_is_a_setting() {
        assertThat(RetryPolicy.fromMap(Map.of("max-retry-after", "90s")).maxRetryAfter())
                .isEqualTo(Duration.ofSeconds(90));
        assertThat(RetryPolicy.fromMap(Map.of()).maxRetryAfter()).isEqualTo(Duration.ofDays(1));
    }
}
