package io.redrive.spring.actors;

/**
 * A bean that creates the behaviors of actors of one kind. Spring injects the beans that the actors need.
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
 * <p>A singleton creates many actors, on many threads: keep the state of an actor in local variables of {@link #create}.
 * With {@code @Scope("prototype")} each actor has its own bean, and fields may hold the state.
 *
 * @param <C> the type of messages
 */
@FunctionalInterface
public interface SpringActor<C> {

    /** Creates the behavior of an actor. Called in the actor, at its start and at each restart. */
    SpringActorBehavior<C> create(SpringActorContext ctx);
}
