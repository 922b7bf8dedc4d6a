package io.redrive.spring.actors;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.core.Backoff;
import io.redrive.core.RetryPolicy;
import java.io.IOException;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding;
import org.apache.pekko.cluster.sharding.typed.javadsl.Entity;
import org.apache.pekko.cluster.sharding.typed.javadsl.EntityTypeKey;
import org.apache.pekko.cluster.typed.Cluster;
import org.apache.pekko.cluster.typed.Join;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Actor beans as entities of cluster sharding: two applications, each with an actor system of its own, on loopback. */
final class ShardingIT {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final EntityTypeKey<EntityActor.Call> KEY = EntityTypeKey.create(EntityActor.Call.class, "entities");

    /** The name of an application, as a bean of it. */
    record Node(String name) {}

    static final class EntityActor implements SpringActor<EntityActor.Call> {

        record Call(ActorRef<Answer> replyTo) implements Serializable {
            private static final long serialVersionUID = 1L;
        }

        record Answer(String entity, int attempts, String node) implements Serializable {
            private static final long serialVersionUID = 1L;
        }

        private static final RetryPolicy POLICY = RetryPolicy.builder()
                .maxAttempts(3)
                .backoff(Backoff.fixed(Duration.ofMillis(20)))
                .build();

        private final Node node;

        EntityActor(Node node) {
            this.node = node;
        }

        @Override
        public SpringActorBehavior<Call> create(SpringActorContext ctx) {
            Map<Call, Integer> attempts = new HashMap<>();
            return SpringActorBehavior.builder(Call.class, ctx)
                    .withRetry(POLICY)
                    .onMessage(Call.class, (context, call) -> {
                        int attempt = attempts.merge(call, 1, Integer::sum);
                        if (attempt < 3) {
                            throw new IOException("no answer");
                        }
                        call.replyTo().tell(new Answer(ctx.id(), attempt, node.name()));
                        return Behaviors.same();
                    })
                    .build();
        }
    }

    private static ApplicationContextRunner node(String name) {
        return Rig.contexts()
                .withBean(Node.class, () -> new Node(name))
                .withBean(EntityActor.class)
                .withPropertyValues(
                        "pekko.actor.provider=cluster",
                        "pekko.remote.artery.canonical.hostname=127.0.0.1",
                        "pekko.remote.artery.canonical.port=0",
                        "pekko.cluster.downing-provider-class=org.apache.pekko.cluster.sbr.SplitBrainResolverProvider",
                        "pekko.cluster.jmx.multi-mbeans-in-same-jvm=on",
                        // Enough for a test whose messages never leave this JVM's trust.
                        "pekko.actor.allow-java-serialization=on",
                        "pekko.actor.warn-about-java-serializer-usage=off",
                        "redrive.actors.stop-limit=1m");
    }

    @Test
    void actor_beans_of_two_applications_are_entities_that_retry() {
        node("first")
                .run(first -> node("second").run(second -> {
                    ActorSystem<?> here = first.getBean(ActorSystem.class);
                    for (var context : List.of(first, second)) {
                        SpringActorSystem actors = context.getBean(SpringActorSystem.class);
                        Cluster cluster = Cluster.get(actors.system());
                        cluster.manager()
                                .tell(Join.create(Cluster.get(here).selfMember().address()));
                        ClusterSharding.get(actors.system())
                                .init(Entity.of(
                                        KEY, entity -> actors.behavior(EntityActor.class, entity.getEntityId())));
                    }
                    Awaitility.await().atMost(PATIENCE).until(() -> upMembers(here) == 2);

                    TestProbe<EntityActor.Answer> answers = TestProbe.create(here);
                    List<EntityActor.Answer> received = new ArrayList<>();
                    // Finds an entity on the given node. Shards are placed on first use, and the second node gets its
                    // first
                    // shard later.
                    for (int i = 0;
                            i < 10_000
                                    && received.stream()
                                            .noneMatch(answer -> answer.node().equals("second"));
                            i++) {
                        ClusterSharding.get(here)
                                .entityRefFor(KEY, "entity-" + i)
                                .tell(new EntityActor.Call(answers.getRef()));
                        received.add(answers.receiveMessage(PATIENCE));
                    }
                    assertThat(received).extracting(EntityActor.Answer::node).contains("second");
                    assertThat(received)
                            .extracting(EntityActor.Answer::attempts)
                            .containsOnly(3);
                    assertThat(received).extracting(EntityActor.Answer::entity).doesNotHaveDuplicates();
                }));
    }

    private static long upMembers(ActorSystem<?> node) {
        return StreamSupport.stream(Cluster.get(node).state().getMembers().spliterator(), false)
                .filter(member -> member.status().equals(MemberStatus.up()))
                .count();
    }
}
