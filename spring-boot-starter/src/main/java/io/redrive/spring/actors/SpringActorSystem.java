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
 * The actors of an application, by the type of their bean and an id. Inject it where actors are talked to. Thread-safe.
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

    /** One type of bean, and what its actors are called. */
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

    /** The actor of this bean type and id on this node. It is made with the first message to it. */
    public <C> SpringActorRef<C> actor(Class<? extends SpringActor<C>> type, String id) {
        if (id.isBlank()) {
            throw new IllegalArgumentException(
                    "id of " + type.getSimpleName() + " must not be blank, got '" + id + "'");
        }
        return new SpringActorRef<>(family(kind(type)), id, askTimeout);
    }

    /**
     * The behavior of such an actor, for who starts it another way: as a child of another actor, or as an entity of cluster
     * sharding.
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

    /** Stops the actors that were made here, and returns when they are gone. */
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
        // Not under the map's lock: a bean that is made for this may ask for actors itself.
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
                // By another application context on the same system, as in tests.
                return start(kind, kind.beanName() + "-" + UUID.randomUUID());
            }
        });
    }

    private <C> ActorFamily<C> start(Kind<C> kind, String name) {
        return ActorFamily.start(system, name, id -> behavior(kind, id));
    }

    /** How to supervise is known only when there is a behavior, and a restart needs a new one of the same bean type. */
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
