package io.redrive.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.redrive.core.ManualTime;
import io.redrive.core.Reason;
import io.redrive.core.Time;
import io.redrive.events.EventStore;
import io.redrive.events.LetterGroup;
import io.redrive.events.flow.FlowReport;
import io.redrive.events.flow.PartitionReport;
import io.redrive.events.flow.PauseReason;
import io.redrive.pipeline.Alerts;
import io.redrive.pipeline.Pipeline;
import io.redrive.pipeline.PipelineListener;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.MapAssert;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.core.env.MapPropertySource;

/** Health, info, meters and the endpoint. */
final class ActuatorTest {

    private final ApplicationContextRunner contexts = Contexts.inMemory()
            .withPropertyValues(
                    "management.endpoints.web.exposure.include=redrive",
                    "management.endpoints.jmx.exposure.include=redrive",
                    "redrive.events.policies.[order.*].max-attempts=1");

    @TempDir
    private Path folder;

    static final class Failing {
        @OnEvent("order.*")
        void handle(String text) {
            if (text.startsWith("unknown")) {
                throw new IllegalStateException("no such customer");
            }
        }
    }

    private static void publishBad(ApplicationContext context, int count) {
        for (int i = 0; i < count; i++) {
            context.getBean(EventBus.class).publish("order.paid", "unknown " + i);
        }
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> endpoint(context).overview().events().dead() == count);
    }

    private static RedriveEndpoint endpoint(ApplicationContext context) {
        return context.getBean(RedriveEndpoint.class);
    }

    @Test
    void health_shows_counts_of_events_and_raised_alerts() {
        contexts.withBean(Failing.class)
                .withPropertyValues("redrive.alerts.dead-letters=1")
                .run(context -> {
                    publishBad(context, 2);
                    HealthIndicator indicator = context.getBean(HealthIndicator.class);
                    Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                        Health health = indicator.health();
                        assertThat(health.getStatus()).isEqualTo(Status.UP);
                        assertThat(health.getDetails())
                                .containsEntry("pipeline", "running")
                                .containsEntry("dead", 2L)
                                .containsEntry("ready", 0L)
                                .containsEntry("alerts", List.of("dead_letters"));
                    });
                });
    }

    @Test
    void health_is_down_when_the_store_does_not_answer() {
        Contexts.bare()
                .withPropertyValues("redrive.store.path=" + folder.resolve("orders.db"))
                .run(context -> {
                    context.getBean(EventStore.class).close();
                    Health health = context.getBean(HealthIndicator.class).health();
                    assertThat(health.getStatus()).isEqualTo(Status.DOWN);
                    assertThat(health.getDetails().get("error").toString()).contains("closed");
                });
    }

    @Test
    void health_is_down_while_the_pipelines_thread_is_stuck_in_a_listener() {
        ManualTime time = new ManualTime();
        CountDownLatch stuck = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        PipelineListener blocking = new PipelineListener() {
            @Override
            public void onDone(Done event) {
                stuck.countDown();
                awaitUninterrupted(released);
            }
        };
        contexts.withBean(Failing.class)
                .withBean(Time.class, () -> time)
                .withBean("blocking", PipelineListener.class, () -> blocking)
                .run(context -> {
                    HealthIndicator indicator = context.getBean(HealthIndicator.class);
                    try {
                        context.getBean(EventBus.class).publish("order.paid", "good");
                        assertThat(stuck.await(30, TimeUnit.SECONDS)).isTrue();
                        assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);
                        time.advance(Duration.ofSeconds(31));
                        Health health = indicator.health();
                        assertThat(health.getStatus()).isEqualTo(Status.DOWN);
                        assertThat(health.getDetails()).containsEntry("pipeline", "stuck");
                    } finally {
                        released.countDown();
                    }
                    Awaitility.await()
                            .atMost(Duration.ofSeconds(30))
                            .until(() -> indicator.health().getStatus().equals(Status.UP));
                });
    }

    @Test
    void health_tells_the_flow_and_is_down_while_the_flow_hears_nothing_of_its_group() {
        ManualTime time = new ManualTime();
        PartitionReport waiting = new PartitionReport("orders", 0, 7, 0, 0, 0, Optional.of(PauseReason.STORE));
        FlowReport report = new FlowReport(
                "billing",
                "orders",
                time.now(),
                new FlowReport.Brake(false, 0, 1),
                List.of(),
                List.of(waiting),
                FlowReport.LeftOut.NONE);
        contexts.withBean(Failing.class)
                .withBean(Time.class, () -> time)
                .withBean(PipelineSource.class, () -> reporting(report))
                .run(context -> {
                    HealthIndicator indicator = context.getBean(HealthIndicator.class);
                    assertThat(indicator.health().getStatus()).isEqualTo(Status.UP);
                    assertThat(indicator.health().getDetails())
                            .containsEntry("flow", "1 partition, 1 paused: the store does not answer");
                    time.advance(Duration.ofSeconds(16));
                    assertThat(indicator.health().getStatus()).isEqualTo(Status.DOWN);
                    assertThat(indicator.health().getDetails().get("flow").toString())
                            .contains("has not heard of its group");
                });
    }

    private static PipelineSource reporting(FlowReport report) {
        return new PipelineSource() {
            @Override
            public EventStore above(EventStore store) {
                return store;
            }

            @Override
            public Optional<FlowReport> report() {
                return Optional.of(report);
            }
        };
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void the_endpoint_shows_counts_nodes_alerts_handlers_and_policies() {
        contexts.withBean(Failing.class).run(context -> {
            publishBad(context, 1);
            RedriveEndpoint.Overview overview = endpoint(context).overview();
            assertThat(overview.nodes()).hasSize(1);
            assertThat(overview.handlers()).containsEntry("order.*", "Failing.handle");
            assertThat(overview.policies().events()).containsEntry("order.*", "1 attempt");
            assertThat(overview.policies().named()).containsKeys("events", "connection");
            assertThat(overview.alerts())
                    .hasSize(Alerts.Kind.values().length)
                    .extracting(RedriveEndpoint.Alert::kind)
                    .contains("dead_letters");
        });
    }

    @Test
    void dead_letters_are_grouped_listed_and_redriven() {
        contexts.withBean(Failing.class).run(context -> {
            publishBad(context, 3);
            List<?> groups = endpoint(context).letters("groups", null, null, null);
            assertThat(groups).hasSize(1);
            LetterGroup group = (LetterGroup) groups.get(0);
            assertThat(group.count()).isEqualTo(3);
            List<?> letters = endpoint(context)
                    .letters("letters", "order.*", Reason.MAX_ATTEMPTS_EXCEEDED.code(), group.fingerprint());
            assertThat(letters)
                    .hasSize(3)
                    .allSatisfy(letter -> assertThat(letter.toString())
                            .contains("no such customer")
                            .doesNotContain("unknown"));
            assertThat(endpoint(context).letters("letters", "invoice.*", null, null))
                    .isEmpty();

            assertThatThrownBy(() -> endpoint(context).redrive(null, null, null, null, null))
                    .isInstanceOf(InvalidEndpointRequestException.class)
                    .hasMessage("redrive needs a name, a reason or a fingerprint, or all = true");
            assertThat(endpoint(context).redrive("order.*", null, null, null, 2))
                    .isEqualTo(Map.of("redriven", 2));
            assertThat(endpoint(context).redrive(null, null, null, true, null).get("redriven"))
                    .isIn(1, 2, 3);
        });
    }

    @Test
    void bad_requests_are_refused_with_the_rule() {
        contexts.withBean(Failing.class).run(context -> {
            RedriveEndpoint endpoint = endpoint(context);
            assertThatThrownBy(() -> endpoint.letters("all", null, null, null))
                    .isInstanceOf(InvalidEndpointRequestException.class)
                    .hasMessage("the path must end in groups or letters, got 'all'");
            assertThatThrownBy(() -> endpoint.letters("letters", null, "bad", null))
                    .isInstanceOf(InvalidEndpointRequestException.class)
                    .hasMessageContaining("reason must be one of");
            assertThatThrownBy(() -> endpoint.settings("purge", null, null, null))
                    .hasMessage("the path must end in settings, got 'purge'");
            assertThatThrownBy(() -> endpoint.settings("settings", "redrive.store.type", "memory", null))
                    .isInstanceOf(InvalidEndpointRequestException.class)
                    .hasMessageStartingWith("redrive.store.type: needs a restart");
            assertThatThrownBy(() -> endpoint.settings("settings", "redrive.policies.bank.max-attempts", "none", null))
                    .isInstanceOf(InvalidEndpointRequestException.class)
                    .hasMessageContaining("redrive.policies");
            assertThatThrownBy(() -> endpoint.settings("settings", "redrive.policies.bank.max-attempts", "0", null))
                    .isInstanceOf(InvalidEndpointRequestException.class)
                    .hasMessage("redrive.policies.bank.max-attempts: must be at least 1, got '0'");
            assertThat(endpoint.settings("settings", null, null, true).named())
                    .as("nothing was changed")
                    .doesNotContainKey("bank");
            assertThatThrownBy(() -> endpoint.redrive(null, null, null, true, 0))
                    .isInstanceOf(InvalidEndpointRequestException.class)
                    .hasMessage("redrive limit must be between 1 and 1000, got 0");
        });
    }

    @Test
    void over_http_a_bad_request_says_what_is_wrong() {
        contexts.run(context -> {
            RedriveWebEndpoint web = context.getBean(RedriveWebEndpoint.class);
            assertBad(web.settings("settings", "redrive.policies.bank.max-atempts", "4", null))
                    .containsEntry("key", "redrive.policies.bank.max-atempts")
                    .containsEntry("value", "4")
                    .containsEntry("suggestion", "max-attempts")
                    .containsKeys("error", "rule");
            assertBad(web.settings("settings", "redrive.policies.bank.max-attempts", "0", null))
                    .containsEntry("rule", "must be at least 1");
            assertBad(web.settings("settings", null, null, null)).containsKey("error");
            assertBad(web.settings("settings", null, null, "yes")).containsEntry("key", "reload");
            assertBad(web.redrive("order.*", null, null, null, "many")).containsEntry("key", "limit");
            assertBad(web.redrive(null, null, null, null, null)).containsKey("error");
            assertBad(web.letters("letters", null, "bad", null)).containsEntry("key", "reason");
            assertThat(web.settings("settings", "redrive.policies.bank.max-attempts", "4", null)
                            .getStatus())
                    .isEqualTo(200);
            assertThat(web.letters("letters", null, null, null).getBody()).isEqualTo(List.of());
        });
    }

    private static MapAssert<String, String> assertBad(WebEndpointResponse<?> response) {
        assertThat(response.getStatus()).isEqualTo(400);
        Map<String, String> body = new HashMap<>();
        ((Map<?, ?>) response.getBody()).forEach((key, value) -> body.put(key.toString(), value.toString()));
        return assertThat(body);
    }

    @Test
    void reload_reads_policies_and_budgets_from_the_environment() {
        contexts.withPropertyValues("redrive.budgets.bank.size=100", "redrive.events.budgets.[order.*]=bank")
                .run(context -> {
                    Map<String, Object> changed = new HashMap<>(Map.of(
                            "redrive.events.policies.[order.*].max-attempts", 9, "redrive.budgets.bank.size", 20));
                    context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("changed", changed));
                    endpoint(context).settings("settings", null, null, true);
                    assertThat(context.getBean(Pipeline.class)
                                    .policies()
                                    .policyFor("order.paid")
                                    .maxAttempts())
                            .isEqualTo(9);
                    assertThat(context.getBean(RedriveSettings.class)
                                    .budget("bank")
                                    .size())
                            .isEqualTo(20);
                });
    }

    @Test
    void a_setting_is_changed_and_the_change_undone() {
        contexts.withPropertyValues("redrive.policies.bank.max-attempts=2").run(context -> {
            RedriveEndpoint endpoint = endpoint(context);
            RedriveSettings settings = context.getBean(RedriveSettings.class);
            assertThat(endpoint.settings("settings", "redrive.policies.bank.max-attempts", "6", null)
                            .named()
                            .get("bank"))
                    .startsWith("6 attempts");
            endpoint.settings("settings", "redrive.events.policies.[order.*].max-attempts", "4", null);
            assertThat(context.getBean(Pipeline.class)
                            .policies()
                            .policyFor("order.paid")
                            .maxAttempts())
                    .isEqualTo(4);
            endpoint.settings("settings", "redrive.policies.bank.max-attempts", null, null);
            assertThat(settings.policy("bank").maxAttempts()).isEqualTo(2);
        });
    }

    @Test
    void info_shows_the_handler_of_each_pattern() {
        contexts.withBean(Failing.class)
                .withPropertyValues("redrive.node=node-1")
                .run(context -> {
                    Info.Builder builder = new Info.Builder();
                    context.getBeansOfType(InfoContributor.class).values().forEach(info -> info.contribute(builder));
                    assertThat(builder.build().get("redrive"))
                            .isEqualTo(Map.of(
                                    "service",
                                    "orders",
                                    "node",
                                    "node-1",
                                    "store",
                                    "InMemoryEventStore",
                                    "handlers",
                                    Map.of("order.*", "Failing.handle")));
                });
    }

    @Test
    void meters_are_bound_when_there_is_a_registry() {
        contexts.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withBean(Failing.class)
                .withPropertyValues("redrive.breakers.bank.failure-count=1", "redrive.budgets.bank.size=50")
                .run(context -> {
                    publishBad(context, 1);
                    MeterRegistry registry = context.getBean(MeterRegistry.class);
                    Awaitility.await()
                            .atMost(Duration.ofSeconds(30))
                            .untilAsserted(() -> assertThat(registry.get("event.retry.dlq")
                                            .tags("service", "orders", "reason", "max_attempts_exceeded")
                                            .counter()
                                            .count())
                                    .isEqualTo(1));
                    assertThat(registry.get("circuit.breaker.state")
                                    .tag("breaker", "bank")
                                    .gauge()
                                    .value())
                            .isZero();
                    assertThat(registry.get("retry.budget.tokens")
                                    .tag("budget", "bank")
                                    .gauge()
                                    .value())
                            .isEqualTo(10);
                    context.getBean(RedriveSettings.class).breaker("bank").open();
                    assertThat(registry.get("circuit.breaker.transitions")
                                    .tag("to", "open")
                                    .counter()
                                    .count())
                            .isEqualTo(1);
                });
    }

    @Test
    void the_starter_works_without_actuator_health_and_meters() {
        contexts.withClassLoader(new FilteredClassLoader(Endpoint.class, HealthIndicator.class))
                .withBean(Failing.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context).doesNotHaveBean("redriveEndpoint");
                });
    }

    @Test
    void health_can_be_switched_off() {
        contexts.withPropertyValues("management.health.redrive.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(HealthIndicator.class));
    }
}
