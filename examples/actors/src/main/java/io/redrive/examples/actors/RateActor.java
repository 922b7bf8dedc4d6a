package io.redrive.examples.actors;

import io.redrive.pekko.RetryContext;
import io.redrive.spring.actors.SpringActor;
import io.redrive.spring.actors.SpringActorBehavior;
import io.redrive.spring.actors.SpringActorContext;
import java.math.BigDecimal;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.SupervisorStrategy;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.pattern.StatusReply;
import org.springframework.stereotype.Component;

/** Answers with the rate of a currency, read from the exchange; the id of an actor is its currency. */
// snippet: spring-actor
@Component
class RateActor implements SpringActor<RateActor.GetRate> {

    record GetRate(ActorRef<StatusReply<BigDecimal>> replyTo) {}

    private final Exchange exchange;

    RateActor(Exchange exchange) {
        this.exchange = exchange;
    }

    @Override
    public SpringActorBehavior<GetRate> create(SpringActorContext ctx) {
        return SpringActorBehavior.builder(GetRate.class, ctx)
                .withRetry("exchange", retry -> retry.onRetryExhausted(this::gaveUp))
                .withSupervision(SupervisorStrategy.restart())
                .onMessage(GetRate.class, (context, message) -> {
                    BigDecimal rate = exchange.rate(ctx.id());
                    message.replyTo().tell(StatusReply.success(rate));
                    return Behaviors.same();
                })
                .build();
    }

    private void gaveUp(RetryContext<GetRate> failed) {
        String why = "gave up after " + failed.attempt() + " attempts";
        failed.message().replyTo().tell(StatusReply.error(why));
    }
}
// end
