package io.redrive.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Settings change parts of the policy in force, and a refused setting carries its parts as fields. */
class ChangedPolicyTest {

    private static final Map<String, RetryPolicy> IN_FORCE = Map.of(
            "visibility",
            Presets.VISIBILITY,
            "none",
            base(Backoff.none()),
            "fixed",
            base(Backoff.fixed(Duration.ofSeconds(2))),
            "linear",
            base(Backoff.linear(Duration.ofSeconds(1), Duration.ofSeconds(3), Duration.ofMinutes(1))),
            "delays",
            base(Backoff.delays(Duration.ofSeconds(1), Duration.ofSeconds(9))),
            "custom",
            base(Backoff.custom(attempt -> Duration.ofSeconds(1))));

    @ParameterizedTest(name = "{0} with {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "visibility | max-attempts=3     | 3 attempts, exponential 250ms ×2, max 1m, full jitter, within 30m",
                "visibility | max-delay=10s      | 8 attempts, exponential 250ms ×2, max 10s, full jitter, within 30m",
                "visibility | initial-delay=2m   | 8 attempts, exponential 2m ×2, max 2m, full jitter, within 30m",
                "visibility | multiplier=3       | 8 attempts, exponential 250ms ×3, max 1m, full jitter, within 30m",
                "visibility | backoff=linear     | 8 attempts, linear 250ms +250ms, max 1m, full jitter, within 30m",
                "visibility | max-duration=none  | 8 attempts, exponential 250ms ×2, max 1m, full jitter",
                "visibility | max-delay-seconds=5 | 8 attempts, exponential 250ms ×2, max 5s, full jitter, within 30m",
                "visibility | preset=stage       | 3 attempts, exponential 1s ×2, max 1m, jitter ±25%",
                "visibility | preset=stage;jitter=none | 3 attempts, exponential 1s ×2, max 1m, no jitter",
                "visibility | max-attempts=      | 8 attempts, exponential 250ms ×2, max 1m, full jitter, within 30m",
                "visibility | enabled=false      | 1 attempt, within 30m",
                "none       | max-attempts=3     | 3 attempts, no backoff, jitter ±10%",
                "none       | initial-delay=1s   | 4 attempts, fixed 1s, jitter ±10%",
                "none       | backoff=exponential | 4 attempts, exponential 100ms ×2, max 10s, jitter ±10%",
                "fixed      | jitter=full        | 4 attempts, fixed 2s, full jitter",
                "fixed      | initial-delay=5s   | 4 attempts, fixed 5s, jitter ±10%",
                "fixed      | max-delay=30s      | 4 attempts, exponential 2s ×2, max 30s, jitter ±10%",
                "linear     | initial-delay=2s   | 4 attempts, linear 2s +3s, max 1m, jitter ±10%",
                "linear     | increment=5s       | 4 attempts, linear 1s +5s, max 1m, jitter ±10%",
                "linear     | multiplier=2       | 4 attempts, exponential 1s ×2, max 1m, jitter ±10%",
                "delays     | max-attempts=2     | 2 attempts, delays 1s, 9s, jitter ±10%",
                "delays     | backoff=delays     | 4 attempts, delays 1s, 9s, jitter ±10%",
                "delays     | initial-delay=1s   | 4 attempts, exponential 1s ×2, max 10s, jitter ±10%",
                "custom     | max-attempts=2     | 2 attempts, custom backoff, jitter ±10%",
                "custom     | max-delay=1m       | 4 attempts, exponential 100ms ×2, max 1m, jitter ±10%",
            })
    void only_the_named_settings_change(String inForce, String settings, String policy) {
        assertThat(IN_FORCE.get(inForce).with(map(settings))).hasToString(policy);
    }

    @Test
    void a_list_replaces_the_list_and_leaves_the_other_rules() {
        RetryPolicy base = RetryPolicy.builder()
                .retryOnStatus(503)
                .retryOnKind("busy")
                .doNotRetryOn(IOException.class)
                .maxRetryAfter(Duration.ofHours(1))
                .build();
        RetryPolicy changed = base.with(Map.of("retry-on-status", "429"));
        assertThat(retries(changed, Failure.status(429))).isTrue();
        assertThat(retries(changed, Failure.status(503))).isFalse();
        assertThat(retries(changed, Failure.kind("busy"))).isTrue();
        assertThat(retries(changed, Failure.thrown(new IOException()))).isFalse();
        assertThat(changed.maxRetryAfter()).isEqualTo(Duration.ofHours(1));
        RetryPolicy kinds = base.with(Map.of("retry-on-kind", "slow"));
        assertThat(retries(kinds, Failure.kind("busy"))).isFalse();
        assertThat(retries(kinds, Failure.kind("slow"))).isTrue();
        String state = "java.lang.IllegalStateException";
        RetryPolicy types = base.with(Map.of("do-not-retry-on", state, "retry-on", "java.io.IOException"));
        assertThat(retries(types, Failure.thrown(new IOException()))).isTrue();
    }

    @Test
    void a_refused_value_tells_key_rule_and_value() {
        SettingException refused = refusal("max-attempts", "0").under("redrive.policies.bank.");
        assertThat(refused.key()).isEqualTo("redrive.policies.bank.max-attempts");
        assertThat(refused.rule()).isEqualTo("must be at least 1");
        assertThat(refused.value()).isEqualTo("0");
        assertThat(refused.suggestion()).isEmpty();
        assertThat(refused).hasMessage("redrive.policies.bank.max-attempts: must be at least 1, got '0'");
    }

    @ParameterizedTest(name = "{0} means {1}")
    @CsvSource({
        "max-atempts, max-attempts",
        "maxAttempts, max-attempts",
        "max_attempts, max-attempts",
        "MAX-ATTEMPTS, max-attempts",
        "attempts, max-attempts",
        "jiter, jitter",
        "mxa-dealy, max-delay",
        "intial-delay, initial-delay",
        "retry-on-stauts, retry-on-status",
        "retry-after, max-retry-after",
        "ttl,",
        "colour,",
    })
    void an_unknown_key_suggests_the_nearest_known_key(String key, String suggestion) {
        SettingException refused = refusal(key, "3");
        assertThat(refused.suggestion()).isEqualTo(Optional.ofNullable(suggestion));
        assertThat(refused.key()).isEqualTo(key);
        assertThat(refused.value()).isEqualTo("3");
        assertThat(refused.under("a.").suggestion()).isEqualTo(refused.suggestion());
    }

    @Test
    void an_enormous_key_is_refused_without_a_guess() {
        assertThat(refusal("k".repeat(1_000_000), "3").suggestion()).isEmpty();
    }

    @Test
    void the_webhook_preset_spreads_its_attempts_over_about_three_days() {
        Schedule schedule = Presets.named("webhook").explain();
        assertThat(schedule.rows()).hasSize(9);
        assertThat(schedule.rows().stream().map(Schedule.Row::base).reduce(Duration.ZERO, Duration::plus))
                .isBetween(Duration.ofDays(3), Duration.ofHours(76));
        assertThat(schedule.warnings()).isEmpty();
    }

    @Test
    void a_refusal_by_a_setter_keeps_its_message_as_the_rule_and_the_setter_s_exception_as_the_cause() {
        IllegalArgumentException bySetter = new IllegalArgumentException("claimSize must be at least 1, got 0");
        SettingException refused =
                SettingException.because("claim-size", "0", bySetter).under("redrive.pipeline.");
        assertThat(refused)
                .hasMessage("redrive.pipeline.claim-size: claimSize must be at least 1, got 0")
                .hasCause(bySetter);
        assertThat(refused.rule()).isEqualTo(bySetter.getMessage());
        assertThat(refused.complaint()).isEqualTo(bySetter.getMessage());
        assertThat(refused.value()).isEqualTo("0");
        assertThat(refused.isUnknownKey()).isFalse();
    }

    @Test
    void a_setting_without_a_value_counts_as_not_given() {
        Map<String, String> empty = new HashMap<>();
        empty.put("max-attempts", null);
        empty.put("jitter", " ");
        assertThat(Presets.EVENTS.with(empty)).hasToString(Presets.EVENTS.toString());
    }

    private static SettingException refusal(String key, String value) {
        return catchThrowableOfType(SettingException.class, () -> Presets.EVENTS.with(Map.of(key, value)));
    }

    private static RetryPolicy base(Backoff backoff) {
        return RetryPolicy.builder().maxAttempts(4).backoff(backoff).build();
    }

    private static boolean retries(RetryPolicy policy, Failure failure) {
        return policy.decide(Attempt.first(failure, Seeds.random(0))) instanceof Decision.RetryAfter;
    }

    private static Map<String, String> map(String settings) {
        Map<String, String> map = new LinkedHashMap<>();
        for (String setting : settings.split(";")) {
            String[] parts = setting.split("=", 2);
            map.put(parts[0], parts[1]);
        }
        return map;
    }
}
