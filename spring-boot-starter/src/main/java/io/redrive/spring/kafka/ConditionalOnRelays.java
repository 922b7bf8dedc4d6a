package io.redrive.spring.kafka;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Map;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** True when {@code redrive.kafka.relays} has entries: a pipeline with a customizer starts, so there must be none without. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Conditional(ConditionalOnRelays.OnRelays.class)
@interface ConditionalOnRelays {

    /** Looks at the settings. */
    final class OnRelays implements Condition {
        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return !Binder.get(context.getEnvironment())
                    .bind("redrive.kafka.relays", Bindable.mapOf(String.class, String.class))
                    .orElse(Map.of())
                    .isEmpty();
        }
    }
}
