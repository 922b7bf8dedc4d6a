package io.redrive.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.DefaultTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingReceiverTracingObservationHandler;
import io.micrometer.tracing.handler.PropagatingSenderTracingObservationHandler;
import io.micrometer.tracing.otel.bridge.OtelCurrentTraceContext;
import io.micrometer.tracing.otel.bridge.OtelPropagator;
import io.micrometer.tracing.otel.bridge.OtelTracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.redrive.events.DeadLetter;
import io.redrive.events.EventStore;
import io.redrive.events.LetterFilter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Spans of a real tracer, through a real store. */
final class TracingTest {

    private final List<SpanData> spans = new CopyOnWriteArrayList<>();
    private final ObservationRegistry registry = ObservationRegistry.create();

    @TempDir
    private Path folder;

    TracingTest() {
        SdkTracerProvider provider = SdkTracerProvider.builder()
                .addSpanProcessor(SimpleSpanProcessor.create(new Collector()))
                .build();
        io.opentelemetry.api.trace.Tracer otel = provider.get("test");
        Tracer tracer = new OtelTracer(otel, new OtelCurrentTraceContext(), event -> {});
        OtelPropagator propagator =
                new OtelPropagator(ContextPropagators.create(W3CTraceContextPropagator.getInstance()), otel);
        registry.observationConfig()
                .observationHandler(new ObservationHandler.FirstMatchingCompositeObservationHandler(
                        new PropagatingReceiverTracingObservationHandler<>(tracer, propagator),
                        new PropagatingSenderTracingObservationHandler<>(tracer, propagator),
                        new DefaultTracingObservationHandler(tracer)));
    }

    private final class Collector implements SpanExporter {
        @Override
        public CompletableResultCode export(Collection<SpanData> ended) {
            spans.addAll(ended);
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode flush() {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode shutdown() {
            return CompletableResultCode.ofSuccess();
        }
    }

    static class Bank {
        @RetryWith("bank")
        public void charge() {
            throw new IllegalStateException("no money");
        }
    }

    static final class Failing {
        private final Bank bank;

        Failing(Bank bank) {
            this.bank = bank;
        }

        @OnEvent("order.*")
        void handle(String text) {
            bank.charge();
        }
    }

    private SpanData only(String name) {
        return spans.stream()
                .filter(span -> span.getName().equals(name))
                .reduce((one, other) -> {
                    throw new AssertionError("two spans are called " + name);
                })
                .orElseThrow();
    }

    private List<SpanData> all(String name) {
        return spans.stream().filter(span -> span.getName().equals(name)).toList();
    }

    @Test
    void a_trace_goes_from_the_request_through_the_store_to_each_attempt_and_the_dead_letter() {
        Contexts.bare()
                .withPropertyValues(
                        "redrive.store.path=" + folder.resolve("events.db"),
                        "redrive.events.policies.[order.*].max-attempts=2",
                        "redrive.events.policies.[order.*].initial-delay=1ms",
                        "redrive.policies.bank.max-attempts=2",
                        "redrive.policies.bank.initial-delay=1ms")
                .withBean(ObservationRegistry.class, () -> registry)
                .withBean(Bank.class)
                .withBean(Failing.class)
                .run(context -> {
                    EventBus bus = context.getBean(EventBus.class);
                    Observation.createNotStarted("request", registry).observe(() -> bus.publish("order.paid", "17"));
                    EventStore store = context.getBean(EventStore.class);
                    Awaitility.await()
                            .atMost(Duration.ofSeconds(60))
                            .until(() -> store.deadLetters().count(LetterFilter.ALL) == 1);

                    SpanData publish = only("publish order.paid");
                    assertThat(publish.getParentSpanId())
                            .isEqualTo(only("request").getSpanId());
                    List<SpanData> attempts = all("handle order.paid");
                    assertThat(attempts).hasSize(2).allSatisfy(attempt -> {
                        assertThat(attempt.getTraceId()).isEqualTo(publish.getTraceId());
                        assertThat(attempt.getParentSpanId()).isEqualTo(publish.getSpanId());
                    });
                    assertThat(all("attempt Bank.charge"))
                            .hasSize(4)
                            .allSatisfy(call -> assertThat(call.getParentSpanId())
                                    .isIn(attempts.stream()
                                            .map(SpanData::getSpanId)
                                            .toList()));
                    DeadLetter letter =
                            store.deadLetters().list(LetterFilter.ALL, 0, 1).get(0);
                    assertThat(letter.event().headers().get("traceparent"))
                            .contains(publish.getTraceId(), publish.getSpanId());
                });
    }
}
