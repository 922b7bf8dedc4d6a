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
 * Actors of one kind on this node, found by id. The first message to an id creates the member with this id; later messages
 * go to the same member until the member stops. Cluster sharding does the same for the entities of a cluster. Thread-safe.
 *
 * <pre>{@code
 * ActorFamily<Command> accounts = ActorFamily.start(system, "accounts", id -> Account.behavior(id));
 * accounts.tell("17", new Deposit(100));
 * CompletionStage<Balance> balance = accounts.ask("17", GetBalance::new, Duration.ofSeconds(3));
 * }</pre>
 *
 * <p>Messages of one sender to one id arrive in order. A message that arrives while the member is stopping becomes a dead
 * letter, as everywhere in Pekko; the next message after the stop creates a new member.
 *
 * @param <C> the type of messages
 */
public final class ActorFamily<C> {

    private final ActorSystem<?> system;
    private final ActorRef<Request<C>> parent;

    private ActorFamily(ActorSystem<?> system, ActorRef<Request<C>> parent) {
        this.system = system;
        this.parent = parent;
    }

    /**
     * Starts a family without members.
     *
     * @param kind the name of the family, unique in {@code system}; the path of a member is made of kind and id
     * @param member creates the behavior of the member with a given id; runs in that member
     * @throws org.apache.pekko.actor.InvalidActorNameException if {@code system} has a family of this kind
     */
    public static <C> ActorFamily<C> start(
            ActorSystem<?> system, String kind, Function<String, ? extends Behavior<C>> member) {
        Objects.requireNonNull(member, "member");
        Behavior<Request<C>> parent = Behaviors.setup(ctx -> new Parent<>(ctx, member).behavior());
        // Below /system, as the entities of cluster sharding: /user belongs to the guardian of the application.
        return new ActorFamily<>(system, system.systemActorOf(parent, nameOf(kind), Props.empty()));
    }

    /**
     * Sends {@code message} to the member with this id; creates the member if there is none.
     *
     * @throws IllegalArgumentException if {@code id} is blank
     */
    public void tell(String id, C message) {
        parent.tell(new Deliver<>(checked(id), Objects.requireNonNull(message, "message")));
    }

    /**
     * Sends a message to the member with this id and returns its answer. The stage fails with a {@code TimeoutException} when
     * no answer arrives within {@code limit}.
     *
     * @param message creates the message from the reference to which the member answers
     * @throws IllegalArgumentException if {@code id} is blank
     */
    public <R> CompletionStage<R> ask(String id, Function<ActorRef<R>, ? extends C> message, Duration limit) {
        checked(id);
        return AskPattern.<Request<C>, R>ask(
                parent, replyTo -> new Deliver<>(id, message.apply(replyTo)), limit, system.scheduler());
    }

    /** {@link #ask} for members that answer with a value or an error; an error fails the stage. */
    public <R> CompletionStage<R> askWithStatus(
            String id, Function<ActorRef<StatusReply<R>>, ? extends C> message, Duration limit) {
        checked(id);
        return AskPattern.<Request<C>, R>askWithStatus(
                parent, replyTo -> new Deliver<>(id, message.apply(replyTo)), limit, system.scheduler());
    }

    /**
     * Returns the reference of the member with this id, created if there is none: to watch the member, or to send messages to
     * it directly instead of through the family.
     *
     * @throws IllegalArgumentException if {@code id} is blank
     */
    public CompletionStage<ActorRef<C>> ref(String id, Duration limit) {
        checked(id);
        return AskPattern.<Request<C>, ActorRef<C>>ask(
                parent, replyTo -> new Get<>(id, replyTo), limit, system.scheduler());
    }

    /** Stops the member with this id after its current message; without such a member, does nothing. */
    public void stop(String id) {
        parent.tell(new Stop<>(checked(id)));
    }

    /** Stops the family and its members. The stage completes when all members have stopped; later messages are dead letters. */
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

    /** Encodes any text as an element of an actor path. */
    private static String nameOf(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** A message to the parent; never leaves the JVM. */
    private sealed interface Request<C> extends NoSerializationVerificationNeeded {}

    private record Deliver<C>(String id, C message) implements Request<C> {}

    private record Get<C>(String id, ActorRef<ActorRef<C>> replyTo) implements Request<C> {}

    private record Stop<C>(String id) implements Request<C> {}

    private record MemberStopped<C>(String id) implements Request<C> {}

    private record Close<C>(ActorRef<Done> replyTo) implements Request<C> {}

    /** The parent of the members. A stopping member stays listed until the end, because Pekko frees its name only
     * afterwards. */
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
            } else if (request instanceof MemberStopped<C> stopped) {
                members.remove(stopped.id());
            } else if (request instanceof Close<C> close) {
                // Runs when all members have stopped.
                return Behaviors.stopped(() -> close.replyTo().tell(Done.getInstance()));
            }
            return Behaviors.same();
        }

        private ActorRef<C> member(String id) {
            ActorRef<C> known = members.get(id);
            if (known != null) {
                return known;
            }
            // Inside setup, a throwing factory fails the member and not the parent.
            Behavior<C> behavior = Behaviors.setup(child -> factory.apply(id));
            ActorRef<C> created = ctx.spawn(behavior, nameOf(id));
            ctx.watchWith(created, new MemberStopped<>(id));
            members.put(id, created);
            return created;
        }
    }
}
