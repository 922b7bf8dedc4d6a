package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Backoff;
import io.redrive.core.RetryPolicy;
import io.redrive.events.Event;
import io.redrive.events.Priority;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EventLintTest {

    private final Rig rig = new Rig();
    private final Pipeline pipeline = rig.pipeline().on("*", event -> {}).build();

    private List<String> warnings() {
        return rig.heard.lints.stream().map(PipelineListener.Lint::warning).toList();
    }

    @Test
    void a_usual_event_gives_no_reason_to_warn() {
        pipeline.publish(rig.event("order.paid").build());
        assertThat(warnings()).isEmpty();
    }

    @Test
    void a_missing_correlation_id_is_said_once_for_each_name() {
        for (int i = 0; i < 3; i++) {
            pipeline.publish(Event.named("order.paid").source("test").build());
            pipeline.publish(Event.named("order.sent").source("test").build());
        }
        assertThat(warnings())
                .containsExactly("event 'order.paid' has no correlationId", "event 'order.sent' has no correlationId");
    }

    @Test
    void a_name_of_one_word_is_said_once() {
        pipeline.publish(rig.events("paid", 3));
        assertThat(warnings()).singleElement().asString().startsWith("event name 'paid' is one word");
    }

    @Test
    void mostly_critical_events_are_said_once_and_not_before_there_are_enough() {
        for (int i = 0; i < EventLint.ENOUGH_PUBLISHED - 1; i++) {
            pipeline.publish(rig.event("order.paid").priority(Priority.CRITICAL).build());
        }
        assertThat(warnings()).isEmpty();
        for (int i = 0; i < 10; i++) {
            pipeline.publish(rig.event("order.paid").priority(Priority.CRITICAL).build());
        }
        assertThat(warnings()).singleElement().asString().startsWith("most events are published as critical");
    }

    @Test
    void retries_that_outlast_the_deadline_are_said_once() {
        for (int i = 0; i < 3; i++) {
            pipeline.publish(rig.event("order.paid")
                    .deadline(rig.time.now().plusMillis(1_500))
                    .build());
        }
        assertThat(warnings())
                .containsExactly("event 'order.paid' has 1.5s until its deadline, but its retries may wait for 2s");
    }

    @Test
    void a_deadline_with_room_for_all_retries_is_fine() {
        pipeline.publish(
                rig.event("order.paid").deadline(rig.time.now().plusSeconds(3)).build());
        assertThat(warnings()).isEmpty();
    }

    @Test
    void a_lease_shorter_than_the_time_limit_is_said() {
        rig.pipeline()
                .profile(Profile.STANDARD.withLease(Duration.ofSeconds(10)))
                .build();
        assertThat(warnings())
                .singleElement()
                .asString()
                .startsWith("the lease of 10s is shorter than the handlers' time limit of 20s");
    }

    @Test
    void a_batch_that_can_never_fill_is_said() {
        rig.pipeline()
                .profile(Profile.STANDARD.withDomain(new BatcherSettings(5, 300, Duration.ofSeconds(2))))
                .build();
        assertThat(warnings()).singleElement().asString().startsWith("a batch of 300 never fills");
    }

    @Test
    void policies_out_of_the_usual_range_are_said_when_the_pipeline_is_made() {
        EventPolicies policies = EventPolicies.defaults()
                .with(Map.of("order.*", Map.of("initial-delay", "10ms", "jitter", 0.8)))
                .with(
                        "mail.*",
                        RetryPolicy.builder()
                                .backoff(Backoff.custom(attempt -> {
                                    throw new IllegalStateException("broken");
                                }))
                                .build());
        rig.pipeline().policies(policies).on("*", event -> {}).build();
        assertThat(warnings())
                .containsExactlyInAnyOrder(
                        "policy for 'order.*': initial delay 10ms is outside the usual 100ms to 5s",
                        "policy for 'order.*': jitter factor 0.8 is outside the usual 0 to 0.5",
                        "policy for 'mail.*': the backoff threw java.lang.IllegalStateException: broken; work under this"
                                + " policy is not retried");
    }
}
