package io.redrive.bench;

import io.redrive.bench.KafkaBroker.Topic;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.annotation.EnableKafka;
import org.springframework.kafka.annotation.EnableKafkaRetryTopic;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.DefaultKafkaConsumerFactory;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.MessageListener;
import org.springframework.kafka.retrytopic.RetryTopicConfiguration;
import org.springframework.kafka.retrytopic.RetryTopicConfigurationBuilder;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.util.backoff.FixedBackOff;

/** Spring Kafka with its two ways of retrying: in place by the error handler, and by retry topics. */
final class SpringKafkaPeers {

    static final int RETRY_MS = 100;

    private final KafkaBroker broker;
    private final Duration atMost;

    /** A run ends with the last record, or after so long: where records fail, a full topic would take minutes. */
    SpringKafkaPeers(KafkaBroker broker, Duration atMost) {
        this.broker = broker;
        this.atMost = atMost;
    }

    /** A record that no retry helps. */
    static final class Poison extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Poison() {
            super("poison");
        }
    }

    /** A failure that a retry helps. */
    static final class Flaky extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Flaky() {
            super("flaky");
        }
    }

    /** What a listener does with the index of a record. */
    interface Handler {
        void handle(int index) throws Exception;
    }

    /** A container with {@link DefaultErrorHandler} and dead letter topic; one retry in place. */
    double errorHandler(Topic topic, int threads, KafkaRun run, Handler handler) throws Exception {
        ProducerFactory<byte[], byte[]> producers = producers();
        try {
            // The dead letter topic has to exist.
            String letters = broker.newTopic("letters");
            DefaultErrorHandler errors = new DefaultErrorHandler(
                    new DeadLetterPublishingRecoverer(
                            new KafkaTemplate<>(producers),
                            (record, error) -> new org.apache.kafka.common.TopicPartition(letters, record.partition())),
                    new FixedBackOff(RETRY_MS, 1));
            errors.addNotRetryableExceptions(Poison.class);
            ContainerProperties properties = new ContainerProperties(topic.name());
            properties.setGroupId(broker.newName("spring"));
            properties.setMessageListener((MessageListener<byte[], byte[]>) record -> Listener.call(record, handler));
            ConcurrentMessageListenerContainer<byte[], byte[]> container =
                    new ConcurrentMessageListenerContainer<>(consumers(broker), properties);
            container.setConcurrency(threads);
            container.setCommonErrorHandler(errors);
            container.start();
            try {
                return run.perSecond(atMost);
            } finally {
                container.stop();
            }
        } finally {
            ((DefaultKafkaProducerFactory<byte[], byte[]>) producers).destroy();
        }
    }

    /** Retry topics, as {@code @RetryableTopic} configures them: one retry after {@link #RETRY_MS}, then the dead letter topic. */
    double retryTopics(Topic topic, int threads, KafkaRun run, Handler handler) throws Exception {
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.registerBean(KafkaBroker.class, () -> broker, definition -> definition.setDestroyMethodName(""));
            String suffix = "-" + broker.newName("run");
            context.registerBean(Setup.class, () -> new Setup(topic.name(), suffix, threads));
            context.registerBean(Handler.class, () -> handler);
            context.getEnvironment()
                    .getSystemProperties()
                    .putAll(Map.of("bench.topic", topic.name(), "bench.group", broker.newName("retryable")));
            context.register(Beans.class, Listener.class);
            context.refresh();
            return run.perSecond(atMost);
        }
    }

    /**
     * The topic and the threads of a listener.
     *
     * @param suffix the end of the names of its retry topic and dead letter topic: a new group would read the failures of earlier
     *     runs in topics of the same name
     */
    record Setup(String topic, String suffix, int threads) {}

    /** Handles records of the topic and of its retry topics. */
    static final class Listener {
        private final Handler handler;

        Listener(Handler handler) {
            this.handler = handler;
        }

        @KafkaListener(topics = "${bench.topic}", groupId = "${bench.group}")
        public void onRecord(ConsumerRecord<byte[], byte[]> record) {
            call(record, handler);
        }

        static void call(ConsumerRecord<byte[], byte[]> record, Handler handler) {
            try {
                handler.handle(KafkaBroker.index(record.value()));
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** The beans of an application with retry topics. */
    @Configuration(proxyBeanMethods = false)
    @EnableKafka
    @EnableKafkaRetryTopic
    static class Beans {

        @Bean
        ConcurrentKafkaListenerContainerFactory<byte[], byte[]> kafkaListenerContainerFactory(
                KafkaBroker broker, Setup setup) {
            ConcurrentKafkaListenerContainerFactory<byte[], byte[]> factory =
                    new ConcurrentKafkaListenerContainerFactory<>();
            factory.setConsumerFactory(consumers(broker));
            factory.setConcurrency(setup.threads());
            return factory;
        }

        @Bean
        KafkaAdmin kafkaAdmin(KafkaBroker broker) {
            return new KafkaAdmin(Map.of("bootstrap.servers", broker.bootstrap()));
        }

        @Bean
        ProducerFactory<byte[], byte[]> producerFactory(KafkaBroker broker) {
            return producersOf(broker);
        }

        @Bean
        KafkaTemplate<byte[], byte[]> kafkaTemplate(ProducerFactory<byte[], byte[]> producers) {
            return new KafkaTemplate<>(producers);
        }

        @Bean
        TaskScheduler taskScheduler() {
            return new ThreadPoolTaskScheduler();
        }

        @Bean
        RetryTopicConfiguration retries(KafkaTemplate<byte[], byte[]> template, Setup setup) {
            return RetryTopicConfigurationBuilder.newInstance()
                    .fixedBackOff(RETRY_MS)
                    .maxAttempts(2)
                    .concurrency(setup.threads())
                    .notRetryOn(Poison.class)
                    .traversingCauses(true)
                    .autoCreateTopics(true, KafkaBroker.PARTITIONS, (short) 1)
                    .includeTopic(setup.topic())
                    .retryTopicSuffix("-retry" + setup.suffix())
                    .dltSuffix("-dlt" + setup.suffix())
                    .doNotRetryOnDltFailure()
                    .create(template);
        }
    }

    private ProducerFactory<byte[], byte[]> producers() {
        return producersOf(broker);
    }

    private static ProducerFactory<byte[], byte[]> producersOf(KafkaBroker broker) {
        return new DefaultKafkaProducerFactory<>(
                Map.of("bootstrap.servers", broker.bootstrap()), new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static DefaultKafkaConsumerFactory<byte[], byte[]> consumers(KafkaBroker broker) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("bootstrap.servers", broker.bootstrap());
        settings.put("auto.offset.reset", "earliest");
        settings.put("isolation.level", "read_committed");
        settings.put("max.poll.records", 2_000);
        return new DefaultKafkaConsumerFactory<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }
}
