package io.redrive.pekko;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.redrive.core.Backoff;
import io.redrive.core.Jitter;
import io.redrive.core.Reason;
import io.redrive.core.RetryPolicy;
import io.redrive.events.AbandonedEvent;
import java.io.IOException;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;
import org.apache.pekko.cluster.sharding.typed.javadsl.Entity;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityTypeKey;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Join;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Retrying entities in a cluster of two nodes, each an actor system of its own on loopback. */
final class ShardingIT {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Config NODE = ConfigFactory.parseString("""
            pekko.loglevel = OFF
            pekko.actor.provider = cluster
            pekko.remote.artery.canonical { hostname = "127.0.0.1", port = 0 }
            pekko.cluster.downing-provider-class = "org.apache.pekko.cluster.sbr.SplitBrainResolverProvider"
            pekko.cluster.sharding.number-of-shards = 1000
            pekko.cluster.jmx.multi-mbeans-in-same-jvm = on
            pekko.coordinated-shutdown.exit-jvm = off
            # Enough for a test whose messages never leave this JVM's trust.
            pekko.actor.allow-java-serialization = on
            pekko.actor.warn-about-java-serializer-usage = off
            """);
    private static final RetryPolicy POLICY = RetryPolicy.builder()
            .maxAttempts(3)
            .backoff(Backoff.fixed(Duration.ofMillis(20)))
            .jitter(Jitter.none())
            .build();
    private static final RetryPolicy HOURLY =
            POLICY.toBuilder().backoff(Backoff.fixed(Duration.ofHours(1))).build();
    private static final EntityTypeKey<Call> CALLERS = EntityTypeKey.create(Call.class, "callers");
    /** Entities whose retry is an hour away: only a stop can end a pending message. */
    private static final EntityTypeKey<Call> PATIENT = EntityTypeKey.create(Call.class, "patient");

    /** Fails at the first {@code failures} attempts. */
    record Call(String id, int failures, ActorRef<Answer> replyTo) implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    record Answer(String entity, int attempts, int port) implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    private final List<ActorSystem<Void>> nodes = new ArrayList<>();
    private final Queue<AbandonedEvent<Call>> letters = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void start() {
        for (int i = 0; i < 2; i++) {
            nodes.add(ActorSystem.create(Behaviors.empty(), "shards", NODE.withFallback(ConfigFactory.load())));
        }
        for (ActorSystem<Void> node : nodes) {
            Cluster.get(node)
                    .manager()
                    .tell(Join.create(Cluster.get(nodes.get(0)).selfMember().address()));
            ClusterSharding sharding = ClusterSharding.get(node);
            sharding.init(Entity.of(CALLERS, entity -> caller(entity.getEntityId(), POLICY)));
            sharding.init(Entity.of(PATIENT, entity -> caller(entity.getEntityId(), HOURLY)));
        }
        Awaitility.await().atMost(PATIENCE).until(() -> nodes.stream().allMatch(ShardingIT::seesTwo));
    }

    private static boolean seesTwo(ActorSystem<?> node) {
        List<MemberStatus> members = new ArrayList<>();
        Cluster.get(node).state().getMembers().forEach(member -> members.add(member.status()));
        return members.size() == 2 && members.stream().allMatch(MemberStatus.up()::equals);
    }

    @AfterEach
    void stop() throws Exception {
        for (ActorSystem<Void> node : nodes) {
            node.terminate();
            node.getWhenTerminated().toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private Behavior<Call> caller(String entity, RetryPolicy policy) {
        return RetryBehavior.of(Call.class, policy)
                .named("callers")
                .deadLetters(letters::add)
                .around(attempt -> Behaviors.setup(ctx -> {
                    Map<String, Integer> failed = new HashMap<>();
                    int port = ctx.getSystem().address().getPort().orElseThrow();
                    return Behaviors.receiveMessage(call -> {
                        if (failed.merge(call.id(), 1, Integer::sum) <= call.failures()) {
                            throw new IOException("no answer");
                        }
                        call.replyTo().tell(new Answer(entity, attempt.number(), port));
                        return Behaviors.same();
                    });
                }));
    }

    @Test
    void entities_on_both_nodes_retry_and_answer_across_the_cluster() {
        TestProbe<Answer> answers = TestProbe.create(nodes.get(0));
        int second = Cluster.get(nodes.get(1)).selfMember().address().getPort().orElseThrow();
        entityAt(CALLERS, second, ClusterSharding.get(nodes.get(0)), answers);
        for (int i = 0; i < 40; i++) {
            ClusterSharding.get(nodes.get(0))
                    .entityRefFor(CALLERS, "entity-" + i)
                    .tell(new Call("call", 2, answers.getRef()));
        }
        List<Answer> received = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            received.add(answers.receiveMessage(PATIENCE));
        }
        assertThat(received).extracting(Answer::entity).doesNotHaveDuplicates().hasSize(40);
        assertThat(received).extracting(Answer::attempts).containsOnly(3);
        assertThat(received.stream().map(Answer::port).distinct()).hasSize(2);
        assertThat(letters).isEmpty();
    }

    @Test
    void a_leaving_node_gives_up_pending_messages_and_its_entities_move_to_another_node() throws Exception {
        TestProbe<Answer> answers = TestProbe.create(nodes.get(0));
        ClusterSharding first = ClusterSharding.get(nodes.get(0));
        int leaving = Cluster.get(nodes.get(1)).selfMember().address().getPort().orElseThrow();
        String entity = entityAt(PATIENT, leaving, first, answers);
        for (int i = 0; i < 3; i++) {
            first.entityRefFor(PATIENT, entity).tell(new Call("pending-" + i, 1, answers.getRef()));
        }
        first.entityRefFor(PATIENT, entity).tell(new Call("behind", 0, answers.getRef()));
        answers.receiveMessage(PATIENCE);
        nodes.get(1).terminate();
        nodes.get(1).getWhenTerminated().toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);

        assertThat(letters)
                .hasSize(3)
                .allSatisfy(letter -> assertThat(letter.reason()).isEqualTo(Reason.CANCELLED));
        first.entityRefFor(PATIENT, entity).tell(new Call("after", 0, answers.getRef()));
        Answer after = answers.receiveMessage(PATIENCE);
        assertThat(after.entity()).isEqualTo(entity);
        assertThat(after.port()).isNotEqualTo(leaving);
    }

    /** Finds an entity at {@code port}. Shards are placed on first use, and the second node gets its first shard later. */
    private static String entityAt(
            EntityTypeKey<Call> type, int port, ClusterSharding sharding, TestProbe<Answer> answers) {
        for (int i = 0; i < 10_000; i++) {
            sharding.entityRefFor(type, "warm-" + i).tell(new Call("warm-up", 0, answers.getRef()));
            Answer answer = answers.receiveMessage(PATIENCE);
            if (answer.port() == port) {
                return answer.entity();
            }
        }
        throw new AssertionError("no entity is at port " + port);
    }
}
