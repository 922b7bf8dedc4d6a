package io.redrive.pekko;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.apache.pekko.Done;
import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.pattern.StatusReply;

/**
 * Actors of one kind on this node, told apart by an id: each is made with the first message to it, and found again until it
 * stops. What cluster sharding does with entities, without a cluster. Thread-safe.
 *
 * <pre>{@code
 * ActorFamily<Command> accounts = ActorFamily.start(system, "accounts", id -> Account.behavior(id));
 * accounts.tell("17", new Deposit(100));
 * CompletionStage<Balance> balance = accounts.ask("17", GetBalance::new, Duration.ofSeconds(3));
 * }</pre>
 *
 * <p>Messages of one sender to one id arrive in order. One that arrives while its actor is stopping is a dead letter, as
 * everywhere in Pekko; the next one after that makes the actor anew.
 */
public final class ActorFamily<C> {

    private final ActorSystem<?> system;
    private final ActorRef<Request<C>> parent;

    private ActorFamily(ActorSystem<?> system, ActorRef<Request<C>> parent) {
        this.system = system;
        this.parent = parent;
    }

    /**
     * A family that has no members yet.
     *
     * @param kind a name that no other family of the system has; with the id it is the path of an actor
     * @param member makes the behavior of the actor with an id; runs in that actor
     */
    public static <C> ActorFamily<C> start(
            ActorSystem<?> system, String kind, Function<String, ? extends Behavior<C>> member) {
        Objects.requireNonNull(member, "member");
        Behavior<Request<C>> parent = Behaviors.setup(ctx -> new Parent<>(ctx, member).behavior());
        // Where sharding puts its entities too: the user's part of a system belongs to the guardian that the user
        // wrote.
        return new ActorFamily<>(system, system.systemActorOf(parent, nameOf(kind), Props.empty()));
    }

    /** Sends to the actor with this id. */
    public void tell(String id, C message) {
        parent.tell(new Deliver<>(checked(id), Objects.requireNonNull(message, "message")));
    }

    /** Sends to the actor with this id, and gives its answer; fails with a {@code TimeoutException} after {@code limit}. */
    public <R> CompletionStage<R> ask(String id, Function<ActorRef<R>, ? extends C> message, Duration limit) {
        checked(id);
        return AskPattern.<Request<C>, R>ask(
                parent, replyTo -> new Deliver<>(id, message.apply(replyTo)), limit, system.scheduler());
    }

    /** {@link #ask} for actors that answer with a value or an error; the error fails the stage. */
    public <R> CompletionStage<R> askWithStatus(
            String id, Function<ActorRef<StatusReply<R>>, ? extends C> message, Duration limit) {
        checked(id);
        return AskPattern.<Request<C>, R>askWithStatus(
                parent, replyTo -> new Deliver<>(id, message.apply(replyTo)), limit, system.scheduler());
    }

    /** The actor with this id, made if there is none; for who wants to watch it, or to spare a message its way past here. */
    public CompletionStage<ActorRef<C>> ref(String id, Duration limit) {
        checked(id);
        return AskPattern.<Request<C>, ActorRef<C>>ask(
                parent, replyTo -> new Get<>(id, replyTo), limit, system.scheduler());
    }

    /** Stops the actor with this id, if there is one, after the message it is at. */
    public void stop(String id) {
        parent.tell(new Stop<>(checked(id)));
    }

    /** Stops all actors of this family, and the family: what is sent to it later is a dead letter. Done when all are gone. */
    public CompletionStage<Done> close(Duration limit) {
        return AskPattern.<Request<C>, Done>ask(parent, Close::new, limit, system.scheduler());
    }

    @Override
    public String toString() {
        return "actors " + parent.path();
    }

    private static String checked(String id) {
        if (id.isBlank()) {
            throw new IllegalArgumentException("id of an actor must not be blank, got '" + id + "'");
        }
        return id;
    }

    /** Any text as part of an actor's path. */
    private static String nameOf(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** What the parent is asked for. Never leaves the JVM. */
    private sealed interface Request<C> extends NoSerializationVerificationNeeded {}

    private record Deliver<C>(String id, C message) implements Request<C> {}

    private record Get<C>(String id, ActorRef<ActorRef<C>> replyTo) implements Request<C> {}

    private record Stop<C>(String id) implements Request<C> {}

    private record Gone<C>(String id) implements Request<C> {}

    private record Close<C>(ActorRef<Done> replyTo) implements Request<C> {}

    /** The actor above the others. A member stays listed until it is gone for good, because its name is taken until then. */
    private static final class Parent<C> {

        private final ActorContext<Request<C>> ctx;
        private final Function<String, ? extends Behavior<C>> factory;
        private final Map<String, ActorRef<C>> members = new HashMap<>();

        Parent(ActorContext<Request<C>> ctx, Function<String, ? extends Behavior<C>> factory) {
            this.ctx = ctx;
            this.factory = factory;
        }

        Behavior<Request<C>> behavior() {
            return Behaviors.receiveMessage(this::handle);
        }

        private Behavior<Request<C>> handle(Request<C> request) {
            if (request instanceof Deliver<C> deliver) {
                member(deliver.id()).tell(deliver.message());
            } else if (request instanceof Get<C> get) {
                get.replyTo().tell(member(get.id()));
            } else if (request instanceof Stop<C> stop && members.containsKey(stop.id())) {
                ctx.stop(members.get(stop.id()));
            } else if (request instanceof Gone<C> gone) {
                members.remove(gone.id());
            } else if (request instanceof Close<C> close) {
                // Runs after the last of the members is gone.
                return Behaviors.stopped(() -> close.replyTo().tell(Done.getInstance()));
            }
            return Behaviors.same();
        }

        private ActorRef<C> member(String id) {
            ActorRef<C> known = members.get(id);
            if (known != null) {
                return known;
            }
            // In a setup, so that a factory that throws fails the actor and not its parent.
            Behavior<C> behavior = Behaviors.setup(child -> factory.apply(id));
            ActorRef<C> made = ctx.spawn(behavior, nameOf(id));
            ctx.watchWith(made, new Gone<>(id));
            members.put(id, made);
            return made;
        }
    }
}
