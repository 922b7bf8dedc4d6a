package io.redrive.spring.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.SettingException;
import io.redrive.events.Event;
import io.redrive.kafka.KafkaBus;
import io.redrive.kafka.LetterTopic;
import io.redrive.pipeline.Pipeline;
import io.redrive.spring.KafkaProperties;
import io.redrive.spring.OnEvent;
import io.redrive.spring.RedriveAutoConfiguration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Settings of topics that are refused, or used without a broker. */
final class KafkaSettingsTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    JacksonAutoConfiguration.class, RedriveAutoConfiguration.class, KafkaAutoConfiguration.class))
            .withPropertyValues("spring.application.name=billing", "redrive.store.type=memory");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "redrive.kafka.topics=orders | redrive.kafka.bootstrap-servers | because redrive.kafka.topics is set",
                "redrive.kafka.relays[order.*]=orders | redrive.kafka.bootstrap-servers | because redrive.kafka.relays is set",
                "redrive.kafka.letters.enabled=true | redrive.kafka.bootstrap-servers | because redrive.kafka.letters.enabled",
                "redrive.kafka.group-id=billing | redrive.kafka.topics | because redrive.kafka.group-id is set",
                "redrive.kafka.letters.spring-names=true | redrive.kafka.letters.enabled | must be true",
                "redrive.kafka.client.group.id=x | redrive.kafka.client.group.id | is set with redrive.kafka.group-id",
                "redrive.kafka.client.enable.auto.commit=true | redrive.kafka.client.enable.auto.commit | must not be set",
                "redrive.kafka.bootstrap-server=a:1 | redrive.kafka.bootstrap-server | bootstrap-servers",
                "redrive.kafka.topic-pattern=orders-.* | redrive.kafka.bootstrap-servers | because redrive.kafka.topic-pattern is set",
                "redrive.kafka.create-topics.partitions=3 | redrive.kafka.topics | because redrive.kafka.create-topics is set",
                "redrive.kafka.event-name=a..b | redrive.kafka.event-name | a..b"
            })
    void a_wrong_setting_stops_the_start_with_key_and_rule(String setting, String key, String rule) {
        application.withPropertyValues(setting).run(context -> {
            assertThat(context).hasFailed();
            assertThat(context.getStartupFailure()).hasStackTraceContaining(key).hasStackTraceContaining(rule);
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "max-records=0 | max-records | must be at least 1, got '0'",
                "max-bytes=0B | max-bytes | must be at least 1, got '0'",
                "rows-per-second=0 | rows-per-second | must be at least 1, got '0'",
                "max-waiting=-1 | max-waiting | must be at least 1, got '-1'",
                "hold-up-to=-1s | hold-up-to | must not be negative, got 'PT-1S'",
                "create-topics.partitions=0 | create-topics.partitions | must be at least 1, got '0'",
                "create-topics.replicas=99999 | create-topics.replicas | must be at most 32767, got '99999'",
                "client.session.timeout.ms=45s | client.session.timeout.ms | milliseconds without a unit, as 45000, got '45s'",
                "topic-pattern=orders | topic-pattern | must be missing beside redrive.kafka.topics"
            })
    void a_value_out_of_range_is_refused_under_its_own_key(String setting, String key, String rule) {
        application
                .withBean(Billing.class)
                .withPropertyValues(
                        "redrive.kafka.topics=orders",
                        "redrive.kafka.bootstrap-servers=127.0.0.1:1",
                        "redrive.kafka." + setting)
                .run(context -> assertThat(refusal(context.getStartupFailure()))
                        .satisfies(
                                refused -> assertThat(refused.key()).isEqualTo("redrive.kafka." + key),
                                refused -> assertThat(refused).hasMessageContaining(rule)));
    }

    @Test
    void a_pattern_that_is_no_regular_expression_is_refused_under_its_key() {
        application
                .withPropertyValues(
                        "redrive.kafka.topic-pattern=orders(", "redrive.kafka.bootstrap-servers=127.0.0.1:1")
                .run(context -> assertThat(refusal(context.getStartupFailure()))
                        .hasMessage("redrive.kafka.topic-pattern: must be a regular expression: Unclosed group,"
                                + " got 'orders('"));
    }

    @Test
    void a_setting_that_kafkas_client_refuses_does_not_blame_the_address() {
        application
                .withBean(Billing.class)
                .withPropertyValues(
                        "redrive.kafka.topics=orders",
                        "redrive.kafka.bootstrap-servers=127.0.0.1:1",
                        "redrive.kafka.client.security.protocol=TLS")
                .run(context -> assertThat(refusal(context.getStartupFailure()))
                        .hasMessageContaining("security.protocol")
                        .satisfies(
                                refused -> assertThat(refused.key()).isEqualTo("redrive.kafka.client"),
                                refused -> assertThat(refused.value()).isEmpty()));
    }

    private static SettingException refusal(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SettingException refused) {
                return refused;
            }
        }
        throw new AssertionError("no setting was refused", failure);
    }

    @Test
    void a_pattern_and_the_shape_of_new_topics_reach_the_flow_and_so_does_a_customizer() {
        List<String> customized = new CopyOnWriteArrayList<>();
        ApplicationContextRunner pattern = application
                .withBean(Billing.class)
                .withBean(KafkaFlowCustomizer.class, () -> flow -> customized.add("customized"))
                .withPropertyValues(
                        "redrive.kafka.bootstrap-servers=127.0.0.1:1",
                        "redrive.kafka.client.default.api.timeout.ms=500",
                        "redrive.kafka.client.request.timeout.ms=400");
        for (String[] source : new String[][] {
            {"redrive.kafka.topic-pattern=orders-.*"},
            {"redrive.kafka.topics=orders", "redrive.kafka.create-topics.partitions=3"}
        }) {
            customized.clear();
            pattern.withPropertyValues(source).run(context -> {
                assertThat(context.getStartupFailure()).hasStackTraceContaining("no broker answers");
                assertThat(customized).containsExactly("customized");
            });
        }
    }

    @Test
    void topics_without_a_handler_are_refused_unless_this_process_handles_no_events() {
        ApplicationContextRunner topics = application.withPropertyValues(
                "redrive.kafka.topics=orders", "redrive.kafka.bootstrap-servers=127.0.0.1:1");
        topics.run(context -> assertThat(context.getStartupFailure())
                .hasStackTraceContaining("redrive.kafka.topics")
                .hasStackTraceContaining("@OnEvent"));
        topics.withPropertyValues("redrive.pipeline.enabled=false").run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(KafkaSource.class).flow()).isEmpty();
        });
    }

    @Test
    void settings_of_clients_have_dots_and_weak_ones_are_refused() {
        ApplicationContextRunner bus = application.withPropertyValues(
                "redrive.kafka.bootstrap-servers=127.0.0.1:1,127.0.0.1:2", "redrive.kafka.client.linger.ms=7");
        bus.run(context -> {
            assertThat(context.getBean(KafkaProperties.class).client()).containsEntry("linger.ms", "7");
            assertThat(context.getBean(KafkaBus.class)).isNotNull();
        });
        bus.withPropertyValues("redrive.kafka.client.acks=1")
                .run(context -> assertThatThrownBy(() -> context.getBean(KafkaBus.class))
                        .hasStackTraceContaining("redrive.kafka.client")
                        .hasStackTraceContaining("acks must be all, got 1"));
    }

    @Test
    void without_settings_of_kafka_no_client_is_made_and_the_pipeline_does_not_start() {
        application.run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(KafkaSource.class).flow()).isEmpty();
            assertThat(context.getBean(Pipeline.class)).isNotNull();
        });
        application
                .withPropertyValues("redrive.kafka.enabled=false", "redrive.kafka.topics=orders")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(KafkaSource.class));
    }

    @Test
    void brokers_that_do_not_answer_stop_the_start_of_topics_and_relays() {
        ApplicationContextRunner unreachable = application
                .withBean(Billing.class)
                .withPropertyValues(
                        "redrive.kafka.bootstrap-servers=127.0.0.1:1",
                        "redrive.kafka.client.default.api.timeout.ms=500",
                        "redrive.kafka.client.request.timeout.ms=400");
        unreachable
                .withPropertyValues(
                        "redrive.kafka.topics=orders",
                        "redrive.kafka.ordered-by-key=true",
                        "redrive.kafka.hold-up-to=1s",
                        "redrive.kafka.max-records=10",
                        "redrive.kafka.max-bytes=1MB")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("no broker answers at bootstrap servers 127.0.0.1:1"));
        unreachable
                .withPropertyValues("redrive.kafka.relays[invoice.*]=invoices")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("no broker answers at bootstrap servers 127.0.0.1:1"));
    }

    @Test
    void letters_for_topics_wait_while_no_broker_answers() {
        application
                .withPropertyValues(
                        "redrive.kafka.bootstrap-servers=127.0.0.1:1",
                        "redrive.kafka.letters.enabled=true",
                        "redrive.kafka.letters.spring-names=true")
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(LetterTopic.class));
    }

    /** A handler, so that the pipeline starts. */
    static final class Billing {

        @OnEvent("orders")
        void bill(Event event) {}
    }
}
