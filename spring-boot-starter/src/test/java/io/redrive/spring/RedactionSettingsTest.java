package io.redrive.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.RetryPolicy;
import io.redrive.core.SettingException;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.EventStore;
import io.redrive.events.LetterFilter;
import io.redrive.events.redaction.Redaction;
import io.redrive.events.redaction.RedactionMode;
import io.redrive.pipeline.EventPolicies;
import io.redrive.pipeline.Pipeline;
import org.junit.jupiter.api.Test;

/** Redaction from settings. */
final class RedactionSettingsTest {

    @Test
    void rules_reach_the_pipeline_and_the_bean() {
        Contexts.inMemory()
                .withPropertyValues(
                        "redrive.redaction.mode=stored",
                        "redrive.redaction.rules[0]=/card",
                        "redrive.redaction.rules[1]=pattern:\\d{13,19}")
                .withBean(
                        PipelineCustomizer.class,
                        () -> builder -> builder.executor(Runnable::run)
                                .policies(EventPolicies.defaults().with("*", RetryPolicy.noRetry()))
                                .on("order.*", event -> {
                                    throw new IllegalStateException("card s3cret, 4111222233334444");
                                }))
                .withPropertyValues("redrive.pipeline.enabled=false")
                .run(context -> {
                    assertThat(context.getBean(Redaction.class).mode()).isEqualTo(RedactionMode.STORED);
                    Pipeline pipeline = context.getBean(Pipeline.class);
                    pipeline.publish(Event.named("order.paid")
                            .source("shop")
                            .json("{\"card\":\"s3cret\"}")
                            .build());
                    pipeline.drain();
                    DeadLetter letter = context.getBean(EventStore.class)
                            .deadLetters()
                            .list(LetterFilter.ALL, 0, 1)
                            .get(0);
                    assertThat(letter.event().text()).isEqualTo("{\"card\":\"[redacted]\"}");
                    assertThat(letter.lastError()).endsWith("card [redacted], [redacted]");
                });
    }

    @Test
    void a_retention_needs_both_settings_and_wrong_rules_of_causes_stop_the_start() {
        Contexts.inMemory()
                .withPropertyValues("redrive.retention.older-than=90d")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("redrive.retention.folder: must be set"));
        Contexts.inMemory()
                .withPropertyValues("redrive.retention.older-than=5m", "redrive.retention.folder=.")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("redrive.retention.older-than: olderThan must be at least 1 hour"));
        Contexts.inMemory()
                .withPropertyValues("redrive.causes.rules[0]=* by tenant")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("redrive.causes.rules[0]: must have a KEY"));
        Contexts.inMemory()
                .withPropertyValues(
                        "redrive.retention.older-than=90d",
                        "redrive.retention.folder=.",
                        "redrive.causes.rules[0]=* by header:tenant")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void a_refused_rule_stops_the_start_with_its_key() {
        Contexts.inMemory()
                .withPropertyValues("redrive.redaction.rules[0]=/card", "redrive.redaction.rules[1]=card")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOfSatisfying(SettingException.class, refusal -> {
                            assertThat(refusal.key()).isEqualTo("redrive.redaction.rules[1]");
                            assertThat(refusal.value()).isEqualTo("card");
                        }));
    }
}
