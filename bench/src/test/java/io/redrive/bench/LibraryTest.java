package io.redrive.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.Callable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** All compared libraries must do the same work. */
final class LibraryTest {

    @ParameterizedTest
    @EnumSource(Library.class)
    void every_library_makes_three_attempts_and_no_more(Library library) throws Exception {
        assertThat(library.retrying(new FlakyCall(2)).call()).isNotNull();
        assertThatThrownBy(() -> library.retrying(new FlakyCall(3)).call())
                .satisfiesAnyOf(
                        error -> assertThat(error).isInstanceOf(FlakyCall.TransientFailure.class),
                        error -> assertThat(error).hasCauseInstanceOf(FlakyCall.TransientFailure.class));
    }

    @ParameterizedTest
    @EnumSource(value = Library.class, mode = EnumSource.Mode.EXCLUDE, names = "SPRING")
    void every_breaker_opens_when_calls_keep_failing(Library library) {
        FlakyCall down = new FlakyCall(Integer.MAX_VALUE);
        Callable<Object> guarded = library.guarded(down);

        for (int i = 0; i < Library.WINDOW; i++) {
            assertThatThrownBy(guarded::call).isInstanceOf(Exception.class);
        }

        assertThatThrownBy(guarded::call)
                .isNotInstanceOf(FlakyCall.TransientFailure.class)
                .hasNoCause();
    }

    @ParameterizedTest
    @EnumSource(RetryScenario.class)
    void every_scenario_succeeds_call_after_call(RetryScenario scenario) throws Exception {
        for (Library library : Library.values()) {
            if (scenario.has(library)) {
                Callable<Object> call = scenario.prepare(library);
                Object first = call.call();

                assertThat(call.call()).as(library.label()).isNotNull().isSameAs(first);
            }
        }
    }
}
