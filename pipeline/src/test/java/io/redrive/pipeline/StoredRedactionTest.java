package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Backoff;
import io.redrive.core.RetryPolicy;
import io.redrive.events.AttemptRecord;
import io.redrive.events.CauseGrouping;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.LetterFilter;
import io.redrive.events.redaction.Redaction;
import io.redrive.events.redaction.RedactionMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Secrets that must not reach a dead letter. */
class StoredRedactionTest {

    private static final List<String> RULES = List.of("/card", "header:authorization", "pattern:pin-\\d+");

    private final Rig rig = new Rig();
    private final List<String> seen = new ArrayList<>();

    @Test
    void a_letter_its_history_its_cause_and_listeners_have_no_secret() {
        List<String> heard = new ArrayList<>();
        Pipeline pipeline = pipeline(RedactionMode.STORED)
                .listener(new PipelineListener() {
                    @Override
                    public void onDead(Dead dead) {
                        heard.add(dead.message());
                    }
                })
                .build();
        pipeline.publish(event("e1"));
        run(pipeline);

        DeadLetter letter = rig.store.deadLetters().find(rig.onlyLetter().id()).orElseThrow();
        assertThat(seen).as("handlers see all values").containsOnly("{\"card\":\"pan-4111\",\"n\":1}");
        assertThat(letter.event().text()).isEqualTo("{\"card\":\"[redacted]\",\"n\":1}");
        assertThat(letter.event().headers()).containsEntry("Authorization", "[redacted]");
        assertThat(letter.lastError()).contains("[redacted] refused for [redacted], [redacted]");
        assertThat(letter.history())
                .hasSize(2)
                .extracting(AttemptRecord::message)
                .allMatch(text -> !text.contains("pan-4111") && !text.contains("pin-7"));
        assertThat(heard).containsExactly(letter.lastError());
        assertThat(rig.store
                        .deadLetters()
                        .causes()
                        .find(letter.fingerprint())
                        .orElseThrow()
                        .example())
                .isEqualTo(letter.lastError());
        assertThat(letter.isRedacted()).isTrue();
    }

    @Test
    void a_secret_at_the_cut_of_a_long_message_does_not_leave_its_first_half() {
        Pipeline pipeline = rig.pipelineOn(rig.store)
                .redaction(Redaction.of(List.of("/card"), RedactionMode.STORED))
                .policies(EventPolicies.defaults()
                        .with("*", RetryPolicy.builder().maxAttempts(1).build()))
                .on("*", event -> {
                    throw new IllegalStateException(
                            "x".repeat(AttemptRecord.MAX_MESSAGE - 50) + "pan-4111-2222-3333-4444");
                })
                .build();
        pipeline.publish(Event.named("order.paid")
                .source("shop")
                .json("{\"card\":\"pan-4111-2222-3333-4444\"}")
                .time(rig.time)
                .build());
        run(pipeline);
        assertThat(rig.onlyLetter().lastError()).doesNotContain("pan-4111");
    }

    @Test
    void events_with_different_secrets_have_one_cause() {
        Pipeline pipeline = pipeline(RedactionMode.STORED).build();
        pipeline.publish(event("e1"));
        pipeline.publish(event("e2").toBuilder()
                .payload("{\"card\":\"visa\"}".getBytes(java.nio.charset.StandardCharsets.UTF_8), "application/json")
                .build());
        run(pipeline);
        assertThat(rig.store.deadLetters().groups(LetterFilter.ALL, 10)).hasSize(1);
    }

    @Test
    void a_rule_splits_a_cause_by_a_value_and_never_by_a_secret() {
        Pipeline pipeline = pipeline(RedactionMode.SHOWN)
                .causes(CauseGrouping.of(List.of("* by /n")))
                .build();
        pipeline.publish(event("e1"));
        run(pipeline);
        String plain = rig.onlyLetter().fingerprint().replaceAll("\\..*", "");
        assertThat(rig.onlyLetter().fingerprint()).isEqualTo(plain + ".1");
        assertThat(rig.store.deadLetters().causes().find(plain + ".1")).isPresent();

        Rig other = new Rig();
        Pipeline secret = other.pipelineOn(other.store)
                .redaction(Redaction.of(RULES))
                .causes(CauseGrouping.of(List.of("* by /card")))
                .policies(EventPolicies.defaults().with("*", RetryPolicy.noRetry()))
                .on("*", event -> {
                    throw new IllegalStateException("refused");
                })
                .build();
        secret.publish(event("e1"));
        other.time.advance(Duration.ofMinutes(2));
        secret.drain();
        assertThat(other.onlyLetter().fingerprint()).contains(".-redacted-").doesNotContain("pan-4111");
    }

    @Test
    void rules_for_showing_leave_the_letter_whole() {
        Pipeline pipeline = pipeline(RedactionMode.SHOWN).build();
        pipeline.publish(event("e1"));
        run(pipeline);
        assertThat(rig.onlyLetter().event().text()).contains("pan-4111");
        assertThat(rig.onlyLetter().lastError()).contains("pin-7");
        assertThat(rig.onlyLetter().isRedacted()).isFalse();
    }

    private Pipeline.Builder pipeline(RedactionMode mode) {
        return rig.pipelineOn(rig.store)
                .redaction(Redaction.of(RULES, mode))
                .policies(EventPolicies.defaults()
                        .with(
                                "*",
                                RetryPolicy.builder()
                                        .maxAttempts(2)
                                        .backoff(Backoff.fixed(Duration.ofSeconds(1)))
                                        .build()))
                .on("*", event -> {
                    seen.add(event.text());
                    String card = event.text().contains("visa") ? "visa" : "pan-4111";
                    throw new IllegalStateException(card + " refused for Bearer abc, pin-7");
                });
    }

    private Event event(String id) {
        return Event.named("order.paid")
                .id(id)
                .source("shop")
                .header("Authorization", "Bearer abc")
                .json("{\"card\":\"pan-4111\",\"n\":1}")
                .time(rig.time)
                .build();
    }

    private void run(Pipeline pipeline) {
        for (int i = 0; i < 5; i++) {
            pipeline.drain();
            rig.time.advance(Duration.ofSeconds(10));
        }
    }
}
