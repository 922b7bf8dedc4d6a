package io.redrive.examples.actors;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.redrive.core.Backoff;
import io.redrive.core.RetryPolicy;
import io.redrive.examples.actors.RateActor.GetRate;
import io.redrive.spring.actors.SpringActorContext;
import java.math.BigDecimal;
import java.util.Map;
import org.apache.pekko.actor.testkit.typed.javadsl.ActorTestKit;
import org.apache.pekko.actor.testkit.typed.javadsl.TestProbe;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.pattern.StatusReply;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Tests the actor without an application. */
final class RateActorTest {

    /** Patient enough for a loaded machine. */
    private static final ActorTestKit KIT =
            ActorTestKit.create(ConfigFactory.parseString("pekko.actor.testkit.typed.single-expect-default = 30s"));

    @AfterAll
    static void stop() {
        KIT.shutdownTestKit();
    }

    // snippet: actor-test
    private StatusReply<BigDecimal> ask(String currency) {
        RetryPolicy atOnce =
                RetryPolicy.builder().maxAttempts(3).backoff(Backoff.none()).build();
        SpringActorContext ctx = SpringActorContext.standalone(currency, Map.of("exchange", atOnce));
        RateActor bean = new RateActor(new Exchange());
        ActorRef<GetRate> actor = KIT.spawn(bean.create(ctx).behavior());

        TestProbe<StatusReply<BigDecimal>> answers = KIT.createTestProbe();
        actor.tell(new GetRate(answers.getRef()));
        return answers.receiveMessage();
    }

    @Test
    void a_rate_is_told_at_the_third_attempt() {
        assertThat(ask("JPY").getValue()).isEqualByComparingTo("151.20");
    }

    @Test
    void who_asks_hears_that_it_was_given_up() {
        assertThat(ask("CHF").getError()).hasMessage("gave up after 3 attempts");
    }
    // end
}
