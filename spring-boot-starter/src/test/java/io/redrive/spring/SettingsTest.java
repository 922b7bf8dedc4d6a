package io.redrive.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.RetryPolicy;
import io.redrive.core.SettingException;
import io.redrive.pipeline.Pipeline;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;

/** Sources of settings, their precedence, and refused settings. */
@ExtendWith(OutputCaptureExtension.class)
final class SettingsTest {

    private static SettingException refusal(String... properties) {
        SettingException[] found = new SettingException[1];
        Contexts.inMemory().withPropertyValues(properties).run(context -> {
            assertThat(context).hasFailed();
            Throwable cause = context.getStartupFailure();
            while (!(cause instanceof SettingException)) {
                assertThat(cause).as("a SettingException among the causes").isNotNull();
                cause = cause.getCause();
            }
            found[0] = (SettingException) cause;
        });
        return found[0];
    }

    private static int attempts(ConfigurableApplicationContext context, String event) {
        return context.getBean(Pipeline.class).policies().policyFor(event).maxAttempts();
    }

    private static ApplicationContextRunner inEnvironment(Map<String, Object> variables) {
        return Contexts.inMemory()
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addLast(new SystemEnvironmentPropertySource("test-systemEnvironment", variables)));
    }

    @ParameterizedTest
    @CsvSource({
        "redrive.pipelne.profile, pipeline",
        "redrive.pipeline.clam-size, claim-size",
        "redrive.pipeline.critical.handler, handlers",
        "redrive.store.pth, path",
        "redrive.policies.bank.max-attempt, max-attempts",
        "redrive.policies.bank.maxAtempts, max-attempts",
        "redrive.events.policies[order.*].max-atempts, max-attempts",
        "redrive.budgets.bank.shar, share",
        "redrive.breakers.bank.windw, window",
        "redrive.actors.ask-timeot, ask-timeout",
        "redrive.automatic-redrive.reason, reasons"
    })
    void a_misspelled_key_stops_the_start_and_names_the_nearest_one(String key, String nearest) {
        SettingException refusal = refusal(key + "=3");
        assertThat(refusal.key()).startsWith("redrive.");
        assertThat(refusal.value()).isEqualTo("3");
        assertThat(refusal.suggestion()).contains(nearest);
    }

    @ParameterizedTest
    @ValueSource(strings = {"redrive.kafka", "redrive.mine", "redrive.store.path.mode", "redrive.store"})
    void a_key_that_does_not_exist_stops_the_start(String key) {
        assertThat(refusal(key + "=3").key()).isEqualTo(key);
    }

    @ParameterizedTest
    @CsvSource({
        "redrive.events.policies.order.*.max-attempts, redrive.events.policies[order.*].max-attempts",
        "redrive.events.policies.order.paid.max-attempts, redrive.events.policies[order.paid].max-attempts",
        "redrive.events.policies.*.max-attempts, redrive.events.policies[order.*].max-attempts",
        "redrive.events.budgets.order.paid, redrive.events.budgets[order.paid]",
        "redrive.policies.my.bank.jitter, redrive.policies[my.bank].jitter"
    })
    void a_name_without_brackets_is_refused_with_the_remedy(String key, String remedy) {
        assertThat(refusal(key + "=3").rule()).contains("stands in brackets: write " + remedy);
    }

    @Test
    void a_refused_value_names_its_key_rule_and_value() {
        SettingException attempts = refusal("redrive.events.policies[order.*].max-attempts=0");
        assertThat(attempts.key()).isEqualTo("redrive.events.policies[order.*].max-attempts");
        assertThat(attempts.rule()).isEqualTo("must be at least 1");
        assertThat(attempts.value()).isEqualTo("0");

        SettingException size = refusal("redrive.pipeline.claim-size=0");
        assertThat(size.key()).isEqualTo("redrive.pipeline.claim-size");
        assertThat(size.value()).isEqualTo("0");
        assertThat(size.rule()).startsWith("claimSize must be between 1 and");

        assertThat(refusal("redrive.budgets.bank.share=7").key()).isEqualTo("redrive.budgets.bank.share");
        assertThat(refusal("redrive.automatic-redrive.reasons=bad").key())
                .isEqualTo("redrive.automatic-redrive.reasons");
    }

    @Test
    void a_single_demand_is_checked_against_the_other_demand_of_the_profile() {
        Contexts.inMemory()
                .withPropertyValues(
                        "redrive.pipeline.poll=250ms",
                        "redrive.pipeline.processors=4",
                        "redrive.pipeline.min-demand=30",
                        "redrive.pipeline.max-demand=40")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(refusal("redrive.pipeline.min-demand=30").key()).isEqualTo("redrive.pipeline.min-demand");
        assertThat(refusal("redrive.pipeline.poll=0s").key()).isEqualTo("redrive.pipeline.poll");
        assertThat(refusal("redrive.pipeline.processors=0").key()).isEqualTo("redrive.pipeline.processors");
    }

    // ---- Where settings come from ----

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redrive.events.policies[order.*].max-attempts",
                "redrive.events.policies.[order.*].max-attempts",
                "redrive.events.policies[order.*].maxAttempts"
            })
    void patterns_in_brackets_work_in_properties(String key) {
        Contexts.inMemory()
                .withPropertyValues(key + "=7")
                .run(context -> assertThat(attempts(context, "order.paid")).isEqualTo(7));
    }

    @Test
    void patterns_in_brackets_work_in_yaml() {
        byte[] yaml = """
                redrive:
                  policies: {}
                  events:
                    policies:
                      "[order.*]":
                        max-attempts: 7
                        retry-on-status: [500, 503]
                    budgets:
                      "[order.*]": bank
                  budgets:
                    bank:
                      share: 0.2
                """.getBytes(StandardCharsets.UTF_8);
        Contexts.inMemory()
                .withInitializer(context -> load(context, yaml))
                .run(context -> assertThat(attempts(context, "order.paid")).isEqualTo(7));
    }

    private static void load(ConfigurableApplicationContext context, byte[] yaml) {
        try {
            new YamlPropertySourceLoader()
                    .load("application.yml", new ByteArrayResource(yaml))
                    .forEach(context.getEnvironment().getPropertySources()::addLast);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void environment_variables_are_read_and_unknown_ones_do_not_stop_the_start(CapturedOutput output) {
        inEnvironment(Map.of(
                        "REDRIVE_POLICIES_BANK_MAXATTEMPTS",
                        "7",
                        "REDRIVE_STORE",
                        "orders.db",
                        "REDRIVE_SERVICE_HOST",
                        "10.0.0.7",
                        "REDRIVE_PIPELINE_CLAMSIZE",
                        "3"))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(RedriveSettings.class)
                                    .policy("bank")
                                    .maxAttempts())
                            .isEqualTo(7);
                });
        assertThat(output.getAll()).contains("did you mean claim-size?");
    }

    @Test
    void retry_variables_override_defaults_and_are_overridden_by_settings() {
        Map<String, Object> variables = Map.of(
                "RETRY_MAX_ATTEMPTS",
                "6",
                "RETRY_BASE_DELAY_MS",
                "750",
                "RETRY_MAX_DELAY_SECONDS",
                "90",
                "RETRY_BACKOFF_FACTOR",
                "3",
                "RETRY_TTL_MINUTES",
                "20");
        inEnvironment(variables)
                .withPropertyValues(
                        "redrive.policies.bank.max-attempts=4",
                        "redrive.policies.webshop.preset=connection",
                        "redrive.events.policies[order.*].initial-delay=2s")
                .run(context -> {
                    RedriveSettings settings = context.getBean(RedriveSettings.class);
                    RetryPolicy bank = settings.policy("bank");
                    assertThat(bank.maxAttempts()).isEqualTo(4);
                    assertThat(bank.backoff().delay(2)).isEqualTo(Duration.ofMillis(2250));
                    assertThat(bank.maxDuration()).contains(Duration.ofMinutes(20));
                    assertThat(settings.policy("webshop").maxAttempts()).isEqualTo(5);
                    assertThat(attempts(context, "invoice.sent")).isEqualTo(6);
                    assertThat(attempts(context, "order.paid")).isEqualTo(6);
                    assertThat(attempts(context, "ml.run.started")).isEqualTo(5);
                });
        inEnvironment(Map.of("RETRY_MAX_ATTEMPTS", "none"))
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("RETRY_MAX_ATTEMPTS")
                        .hasStackTraceContaining("'none'"));
    }

    @Test
    void every_key_of_a_policy_is_a_setting() {
        Set<String> settings = Arrays.stream(PolicySettings.class.getRecordComponents())
                .map(RecordComponent::getName)
                .map(DataObjectPropertyName::toDashedForm)
                .collect(Collectors.toCollection(TreeSet::new));
        // A setting of event policies alone: calls and actors have no handler to wait for.
        settings.remove("unhandled-after");
        assertThatThrownBy(() -> RetryPolicy.fromMap(Map.of("?", "")))
                .isInstanceOfSatisfying(
                        SettingException.class, e -> assertThat(e.rule()).endsWith(": " + String.join(", ", settings)));
    }

    // ---- What the user sees ----

    @ImportAutoConfiguration(RedriveAutoConfiguration.class)
    static class Application {}

    @Test
    void a_refused_key_is_reported_without_a_stack_trace(CapturedOutput output) {
        SpringApplication application = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .build();
        assertThatThrownBy(() -> application.run("--redrive.store.type=memory", "--redrive.pipelne.profile=fast"));
        assertThat(output.getAll())
                .contains("APPLICATION FAILED TO START", "Key: redrive.pipelne", "Value: fast")
                .contains("Did you mean pipeline?")
                .doesNotContain("\tat ");
    }

    @Test
    void a_policy_out_of_the_usual_range_logs_a_warning_at_the_start(CapturedOutput output) {
        Contexts.inMemory()
                .withPropertyValues("redrive.policies.bank.initial-delay=1ms", "redrive.policies.bank.jitter=0.9")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(output.getAll())
                .contains("redrive.policies.bank: initial delay 1ms is outside the usual")
                .contains("redrive.policies.bank: jitter factor 0.9 is outside the usual");
    }

    // ---- Changes while the application runs ----

    @Test
    void both_spellings_of_a_pattern_change_one_setting() {
        Contexts.inMemory().run(context -> {
            RedriveSettings settings = context.getBean(RedriveSettings.class);
            settings.change("redrive.events.policies.[order.*].max-attempts", "4");
            settings.change("redrive.events.policies[order.*].max-attempts", "6");
            assertThat(attempts(context, "order.paid")).isEqualTo(6);
            settings.change("redrive.events.policies.[order.*].max-attempts", null);
            assertThat(attempts(context, "order.paid")).isEqualTo(3);
        });
    }

    @ParameterizedTest
    @CsvSource({
        "redrive.policies.bank.max-atempts, 4, max-atempts",
        "redrive.policies.bank.max-attempts, many, must be a whole number",
        "redrive.policies.bank.max-attempts, 0, must be at least 1",
        "redrive.policies.bank.max-attempts, , has no change to undo",
        "redrive.events.policies.order.*.max-attempts, 4, stands in brackets",
        "redrive.budgets.fresh.share, 0.5, 'is a new budget, which needs a restart'",
        "redrive.store.type, memory, needs a restart",
        "spring.application.name, mine, needs a restart"
    })
    void a_bad_change_is_refused_and_changes_nothing(String key, String value, String told) {
        Contexts.inMemory().run(context -> {
            RedriveSettings settings = context.getBean(RedriveSettings.class);
            Map<String, RetryPolicy> before = new HashMap<>(settings.policies());
            assertThatThrownBy(() -> settings.change(key, value))
                    .isInstanceOf(SettingException.class)
                    .hasMessageContaining(told);
            assertThat(settings.policies().keySet()).isEqualTo(before.keySet());
            assertThat(context.getEnvironment().getPropertySources().stream()
                            .filter(source -> source.getName().equals("redriveChanges"))
                            .map(source -> ((MapPropertySource) source).getSource())
                            .filter(changes -> !changes.isEmpty()))
                    .isEmpty();
            settings.rebind();
        });
    }
}
