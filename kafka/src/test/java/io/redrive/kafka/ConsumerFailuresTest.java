package io.redrive.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnreleasedInstanceIdException;
import org.junit.jupiter.api.Test;

/** What the log says when the cluster refuses a consumer. */
final class ConsumerFailuresTest {

    private final ManualTime time = new ManualTime();
    private final ConsumerFailures failures = new ConsumerFailures(settings(), time);

    private static FlowSettings settings() {
        return new FlowSettings(
                "billing",
                List.of("orders"),
                Optional.empty(),
                Optional.empty(),
                RecordMapping.standard(),
                false,
                Duration.ofSeconds(2),
                2_000,
                1_000_000,
                500,
                1_000,
                Map.of("bootstrap.servers", "localhost:9092", "group.instance.id", "node-1"),
                Duration.ofSeconds(6));
    }

    @Test
    void the_successor_of_a_killed_static_member_says_once_that_it_waits() {
        List<String> lines = LogLines.of(ConsumerFailures.class, () -> {
            for (int second = 0; second < 6; second++) {
                failures.report(new UnreleasedInstanceIdException("not released"));
                time.advance(Duration.ofSeconds(1));
            }
        });
        assertThat(lines).singleElement().asString().contains("group billing", "node-1", "after at most 6 s");
    }

    @Test
    void a_cause_is_logged_again_after_the_group_had_recovered_or_a_minute_has_passed() {
        RuntimeException failure = new KafkaException("broken");
        List<String> lines = LogLines.of(ConsumerFailures.class, () -> {
            failures.report(failure);
            failures.recovered();
            failures.report(failure);
            failures.report(failure);
            time.advance(Duration.ofSeconds(61));
            failures.report(failure);
        });
        assertThat(lines).hasSize(3).allMatch(line -> line.contains("consumer of group billing ended: broken"));
    }

    @Test
    void each_refusal_of_the_cluster_names_its_remedy() {
        assertThat(failures.explain(new FencedInstanceIdException("fenced")))
                .contains("a second member with group.instance.id node-1", "an id of its own");
        assertThat(failures.explain(GroupAuthorizationException.forGroupId("billing")))
                .contains("grant Read on group billing", "topics orders");
        assertThat(failures.explain(new TopicAuthorizationException(Set.of("orders"))))
                .contains("orders", "grant Read");
        assertThat(failures.explain(new SaslAuthenticationException("wrong password")))
                .contains("wrong password", "client(…)");
        assertThat(failures.explain(new IllegalStateException())).contains("IllegalStateException");
    }
}
