package io.redrive.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Reason;
import io.redrive.events.PublishResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AttemptInterceptorTest {

    private final Rig rig = new Rig();
    private final List<String> told = new ArrayList<>();

    private AttemptInterceptor telling(String name) {
        return (claims, attempt) -> {
            told.add(name + " before " + claims.size() + " at attempt "
                    + claims.get(0).attempts().current());
            try {
                return attempt.call();
            } finally {
                told.add(name + " after");
            }
        };
    }

    @Test
    void interceptors_run_around_each_attempt_with_the_first_outside() {
        int[] calls = {0};
        Pipeline pipeline = rig.pipeline()
                .on("*", event -> {
                    told.add("handler");
                    if (++calls[0] == 1) {
                        throw new IllegalStateException("not yet");
                    }
                })
                .interceptor(telling("outer"))
                .interceptor(telling("inner"))
                .build();
        pipeline.publish(rig.event("order.paid").build());
        pipeline.drain();
        rig.run(pipeline, Duration.ofSeconds(2), Duration.ofSeconds(1));
        assertThat(told)
                .containsExactly(
                        "outer before 1 at attempt 1",
                        "inner before 1 at attempt 1",
                        "handler",
                        "inner after",
                        "outer after",
                        "outer before 1 at attempt 2",
                        "inner before 1 at attempt 2",
                        "handler",
                        "inner after",
                        "outer after");
    }

    @Test
    void an_interceptor_runs_once_around_a_batch() {
        Pipeline pipeline = rig.pipeline()
                .onBatch("*", batch -> told.add("handler of " + batch.events().size()))
                .interceptor(telling("outer"))
                .build();
        pipeline.publish(rig.events("order.paid", 3));
        pipeline.drain();
        rig.run(pipeline, Duration.ofSeconds(3), Duration.ofSeconds(1));
        assertThat(told).containsExactly("outer before 3 at attempt 1", "handler of 3", "outer after");
    }

    @Test
    void an_exception_of_an_interceptor_is_a_failure_of_the_attempt() {
        Pipeline pipeline = rig.pipeline()
                .on("*", event -> told.add("handler"))
                .interceptor((claims, attempt) -> {
                    throw new IllegalStateException("broken tracer");
                })
                .build();
        pipeline.publish(rig.event("order.paid").build());
        pipeline.drain();
        rig.run(pipeline, Duration.ofSeconds(5), Duration.ofSeconds(1));
        assertThat(told).isEmpty();
        assertThat(rig.onlyLetter().lastError()).contains("broken tracer");
    }

    @Test
    void an_invalid_event_dies_at_once_as_invalid() {
        Pipeline pipeline = rig.pipeline()
                .handle("order.*", event -> Outcome.invalid(new IllegalArgumentException("no such order")))
                .onBatch(
                        "bill.*",
                        batch -> batch.invalid(batch.events().get(0), new IllegalArgumentException("no such bill")))
                .build();
        pipeline.publish(rig.event("order.paid").build());
        pipeline.drain();
        assertThat(rig.onlyLetter().reason()).isEqualTo(Reason.INVALID_EVENT);
        assertThat(rig.onlyLetter().errorType()).isEqualTo("IllegalArgumentException");
        assertThat(rig.onlyLetter().lastError()).contains("no such order");
        pipeline.publish(rig.event("bill.sent").build());
        pipeline.drain();
        rig.run(pipeline, Duration.ofSeconds(3), Duration.ofSeconds(1));
        assertThat(rig.letters())
                .hasSize(2)
                .allSatisfy(letter -> assertThat(letter.reason()).isEqualTo(Reason.INVALID_EVENT));
    }

    @Test
    void a_publication_by_other_means_is_told_like_any_other() {
        Pipeline pipeline = rig.pipeline().on("*", event -> {}).build();
        List<PublishResult> results = pipeline.publish(
                rig.events("order.paid", 2), (events, now) -> List.of(PublishResult.ACCEPTED, PublishResult.DUPLICATE));
        assertThat(results).containsExactly(PublishResult.ACCEPTED, PublishResult.DUPLICATE);
        assertThat(rig.heard.published).singleElement().satisfies(published -> {
            assertThat(published.accepted()).isEqualTo(1);
            assertThat(published.duplicates()).isEqualTo(1);
        });
        assertThat(rig.stats().ready()).isZero();
    }
}
