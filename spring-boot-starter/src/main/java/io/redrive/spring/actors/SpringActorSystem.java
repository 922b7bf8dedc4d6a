package io.redrive.spring.actors;

import io.redrive.pekko.ActorFamily;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.pekko.actor.InvalidActorNameException;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.AutowireCapableBeanFactory;

/**
 * Finds the actors of an application by bean type and id. Inject this bean to send messages to actors. Thread-safe.
 *
 * <pre>{@code
 * SpringActorRef<Command> account = actors.actor(AccountActor.class, "17");
 * account.tell(new Deposit(100));
 * CompletionStage<Balance> balance = account.ask(GetBalance::new);
 * }</pre>
 */
public final class SpringActorSystem {

    private final ActorSystem<?> system;
    private final AutowireCapableBeanFactory beans;
    private final RetryDependencies dependencies;
    private final Duration askTimeout;
    private final Map<Class<?>, Kind<?>> kinds = new ConcurrentHashMap<>();
    private final Map<Kind<?>, ActorFamily<?>> families = new ConcurrentHashMap<>();

    /** A bean type, with the name of its actors. */
    private record Kind<C>(String beanName, Class<? extends SpringActor<C>> type, Class<?> target) {
        String name() {
            return target.getSimpleName().isEmpty() ? beanName : target.getSimpleName();
        }
    }

    SpringActorSystem(
            ActorSystem<?> system,
            AutowireCapableBeanFactory beans,
            RetryDependencies dependencies,
            Duration askTimeout) {
        this.system = system;
        this.beans = beans;
        this.dependencies = dependencies;
        this.askTimeout = askTimeout;
    }

    /**
     * Returns a reference to the actor with this bean type and id on this node. The first message creates the actor.
     *
     * @throws IllegalArgumentException if {@code id} is blank
     */
    public <C> SpringActorRef<C> actor(Class<? extends SpringActor<C>> type, String id) {
        if (id.isBlank()) {
            throw new IllegalArgumentException(
                    "id of " + type.getSimpleName() + " must not be blank, got '" + id + "'");
        }
        return new SpringActorRef<>(family(kind(type)), id, askTimeout);
    }

    /**
     * Returns the behavior of the actor with this bean type and id, to start it as a child of another actor or as an entity
     * of cluster sharding.
     *
     * <pre>{@code
     * sharding.init(Entity.of(ACCOUNTS, entity -> actors.behavior(AccountActor.class, entity.getEntityId())));
     * }</pre>
     */
    public <C> Behavior<C> behavior(Class<? extends SpringActor<C>> type, String id) {
        return behavior(kind(type), Objects.requireNonNull(id, "id"));
    }

    /** Pekko's actor system. */
    public ActorSystem<?> system() {
        return system;
    }

    /** Stops the actors created by this bean, and returns when all have stopped. */
    void stopActors(Duration limit) throws Exception {
        CompletableFuture.allOf(families.values().stream()
                        .map(family -> family.close(limit).toCompletableFuture())
                        .toArray(CompletableFuture<?>[]::new))
                .get(limit.toNanos(), TimeUnit.NANOSECONDS);
        families.clear();
    }

    @SuppressWarnings("unchecked")
    private <C> Kind<C> kind(Class<? extends SpringActor<C>> type) {
        Kind<C> known = (Kind<C>) kinds.get(type);
        if (known != null) {
            return known;
        }
        // Outside of the map's lock, because the creation of the bean may call this method again.
        var bean = beans.resolveNamedBean(type);
        Kind<C> found = new Kind<>(bean.getBeanName(), type, AopUtils.getTargetClass(bean.getBeanInstance()));
        kinds.put(type, found);
        return found;
    }

    @SuppressWarnings("unchecked")
    private <C> ActorFamily<C> family(Kind<C> kind) {
        return (ActorFamily<C>) families.computeIfAbsent(kind, absent -> {
            try {
                return start(kind, kind.beanName());
            } catch (InvalidActorNameException taken) {
                // Another application context on the same actor system has taken the name, as happens in tests.
                return start(kind, kind.beanName() + "-" + UUID.randomUUID());
            }
        });
    }

    private <C> ActorFamily<C> start(Kind<C> kind, String name) {
        return ActorFamily.start(system, name, id -> behavior(kind, id));
    }

    /**
     * The supervision is known only after the first {@code create}; each restart creates the behavior again. The first
     * behavior is used at the first start.
     */
    private <C> Behavior<C> behavior(Kind<C> kind, String id) {
        return Behaviors.setup(ctx -> {
            ctx.setLoggerName(kind.target());
            SpringActorBehavior<C> first = create(kind, id);
            if (!first.isSupervised()) {
                return first.behavior();
            }
            AtomicReference<SpringActorBehavior<C>> unused = new AtomicReference<>(first);
            return first.supervise(Behaviors.setup(again -> {
                SpringActorBehavior<C> made = unused.getAndSet(null);
                return (made == null ? create(kind, id) : made).behavior();
            }));
        });
    }

    private <C> SpringActorBehavior<C> create(Kind<C> kind, String id) {
        SpringActor<C> bean = beans.getBean(kind.beanName(), kind.type());
        return bean.create(new SpringActorContext(kind.name(), id, dependencies));
    }
}
