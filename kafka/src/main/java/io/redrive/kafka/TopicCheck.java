package io.redrive.kafka;

import io.redrive.events.EventStore;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.TopicExistsException;

/** Checks the cluster before a flow starts. */
final class TopicCheck {

    private static final Logger LOG = System.getLogger(TopicCheck.class.getName());
    /** The least bytes of a batch beside the key and the value of its only record. */
    private static final int BATCH_OVERHEAD = 61;

    private final FlowSettings settings;
    private final EventStore store;

    TopicCheck(FlowSettings settings, EventStore store) {
        this.settings = settings;
        this.store = store;
    }

    /**
     * Refuses topics that do not exist, or creates them, and refuses topics whose records may be larger than the payloads of the store.
     *
     * @return how long a member of the group may be silent
     * @throws IllegalStateException naming the topic and the remedy
     */
    Duration run() {
        try (Admin admin = ExistingTopics.open(settings.client())) {
            Set<String> existing = answer(admin.listTopics().names());
            Set<String> missing = new TreeSet<>(settings.topics());
            missing.removeAll(existing);
            if (!missing.isEmpty()) {
                create(admin, missing);
            }
            Set<String> used = new TreeSet<>(settings.topics());
            settings.pattern()
                    .ifPresent(pattern -> existing.stream()
                            .filter(name -> pattern.matcher(name).matches())
                            .forEach(used::add));
            if (used.isEmpty()) {
                LOG.log(
                        Level.WARNING,
                        "no topic has a name that matches "
                                + settings.pattern().map(Object::toString).orElse("") + " (of " + existing.size()
                                + " topics that this client may see); the flow waits until there is one; a pattern must match the"
                                + " whole name");
            }
            checkSizes(admin, used);
            return settings.usesConsumerProtocol() ? sessionOfGroup(admin) : settings.session();
        }
    }

    void create(Admin admin, Set<String> missing) {
        FlowSettings.NewTopics shape = settings.newTopics()
                .orElseThrow(
                        () -> new IllegalStateException(
                                "topics must exist before a flow starts, missing: "
                                        + String.join(", ", missing)
                                        + "; create them, correct topics(…), set createTopics(…), or grant Describe if this client may not see them"));
        List<NewTopic> topics = missing.stream()
                .map(name -> new NewTopic(name, shape.partitions(), shape.replicas()))
                .toList();
        for (KafkaFuture<Void> created : admin.createTopics(topics).values().values()) {
            try {
                answer(created);
            } catch (KafkaException e) {
                // Another member of the group was quicker.
                if (!(e.getCause() instanceof TopicExistsException)) {
                    throw e;
                }
            }
        }
    }

    /** With the protocol of KIP-848 the broker decides about the session, and the client must not set one. */
    private Duration sessionOfGroup(Admin admin) {
        ConfigResource group = new ConfigResource(ConfigResource.Type.GROUP, settings.group());
        Map<ConfigResource, Config> answered = readable(admin, List.of(group));
        if (answered.isEmpty()) {
            return FlowSettings.defaultSession();
        }
        Config settingsOfGroup = answered.values().iterator().next();
        String millis = settingsOfGroup.get("consumer.session.timeout.ms").value();
        return Duration.ofMillis(Long.parseLong(millis));
    }

    private void checkSizes(Admin admin, Set<String> names) {
        List<ConfigResource> topics = names.stream()
                .map(topic -> new ConfigResource(ConfigResource.Type.TOPIC, topic))
                .toList();
        readable(admin, topics).forEach((topic, config) -> {
            long largest = Long.parseLong(
                    config.get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG).value());
            if (largest - BATCH_OVERHEAD > store.maxPayload()) {
                throw new IllegalStateException("records of topic " + topic.name() + " may have " + largest
                        + " bytes (max.message.bytes), but the store keeps payloads of at most " + store.maxPayload()
                        + " bytes; open the store with a larger maxPayload, or lower max.message.bytes");
            }
        });
    }

    /** A client that may only read records may not read settings; the flow works without. */
    private Map<ConfigResource, Config> readable(Admin admin, List<ConfigResource> asked) {
        try {
            return answer(admin.describeConfigs(asked).all());
        } catch (KafkaException e) {
            if (e.getCause() instanceof AuthorizationException) {
                LOG.log(
                        Level.WARNING,
                        "this client may not read settings of the cluster, so neither the largest records of topics nor the session"
                                + " of the group are checked; grant DescribeConfigs on the topics and on group "
                                + settings.group());
                return Map.of();
            }
            throw e;
        }
    }

    /**
     * Returns the ids of the members of the group; empty without a group. A member with the group.instance.id of this
     * client is its predecessor, whose place this client takes.
     */
    Set<String> members() {
        Optional<String> instance = Optional.ofNullable(settings.client().get(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG))
                .map(String::valueOf);
        try (Admin admin = Admin.create(settings.client())) {
            return answer(admin.describeConsumerGroups(List.of(settings.group()))
                            .all())
                    .values()
                    .stream()
                    .flatMap(group -> group.members().stream())
                    .filter(member ->
                            instance.isEmpty() || !member.groupInstanceId().equals(instance))
                    .map(MemberDescription::consumerId)
                    .collect(Collectors.toSet());
        } catch (KafkaException e) {
            if (e.getCause() instanceof GroupIdNotFoundException) {
                return Set.of();
            }
            throw e;
        }
    }

    private <T> T answer(KafkaFuture<T> future) {
        return ClusterAnswer.of(future, settings.client());
    }
}
