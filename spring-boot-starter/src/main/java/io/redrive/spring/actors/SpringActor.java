package io.redrive.spring.actors;

/**
 * A bean that makes the actors of one kind. What they need is injected into it.
 *
 * <pre>{@code
 * @Component
 * final class ApiActor implements SpringActor<ApiActor.Command> {
 *     private final ApiClient client;
 *
 *     ApiActor(ApiClient client) {
 *         this.client = client;
 *     }
 *
 *     @Override
 *     public SpringActorBehavior<Command> create(SpringActorContext ctx) {
 *         return SpringActorBehavior.builder(Command.class, ctx)
 *                 .withRetry(Presets.ACTOR)
 *                 .onMessage(CallApi.class, (context, call) -> {
 *                     call.replyTo().tell(client.call(call.request()));
 *                     return Behaviors.same();
 *                 })
 *                 .build();
 *     }
 * }
 * }</pre>
 *
 * <p>A singleton makes many actors, on many threads: the state of one belongs into variables of {@link #create}. With
 * {@code @Scope("prototype")} each actor has a bean of its own, and its state may be in fields.
 *
 * @param <C> the type of messages
 */
@FunctionalInterface
public interface SpringActor<C> {

    /** The behavior of one actor; called in the actor, when it starts and again when it is restarted. */
    SpringActorBehavior<C> create(SpringActorContext ctx);
}
