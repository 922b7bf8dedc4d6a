package io.redrive.testkit.outside;

import static org.assertj.core.api.Assertions.assertThat;

import io.redrive.events.EventStore;
import io.redrive.testkit.ForwardingStore;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ForwardingStoreTest {

    /** Default methods of the port whose answer is made of forwarded calls alone. */
    private static final Set<String> COMPOSED =
            Set.of("recover(Instant)", "stats(Instant, Set)", "claim(ClaimRequest)", "settle(List, Instant)");

    static Method[] calls() {
        return Arrays.stream(EventStore.class.getMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .filter(method -> !COMPOSED.contains(signature(method)))
                .toArray(Method[]::new);
    }

    private static String signature(Method method) {
        return Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", ", method.getName() + "(", ")"));
    }

    /** A default method that is not overridden answers for the port, and hides the limit of the target. */
    @ParameterizedTest
    @MethodSource("calls")
    void each_call_of_a_store_reaches_the_target(Method call) throws NoSuchMethodException {
        Method found = ForwardingStore.class.getMethod(call.getName(), call.getParameterTypes());

        assertThat(found.getDeclaringClass()).isEqualTo(ForwardingStore.class);
    }
}
