package io.redrive.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options of {@code dlq import --kafka} that are refused before a broker is asked. */
final class DlqImportTopicsTest {

    private final LetterDesk desk = new LetterDesk();

    @ParameterizedTest
    @CsvSource({
        "dlq import, --kafka BOOTSTRAP --topic TOPIC",
        "dlq import --topic dlq.orders, need --kafka BOOTSTRAP",
        "dlq import --from-beginning, need --kafka BOOTSTRAP",
        "dlq import --kafka localhost:1, at least one --topic",
        "dlq import - --kafka localhost:1 --topic a, exclude each other",
        "dlq import --kafka localhost:1 --topic a --event-name a..b, a..b",
        "dlq import --kafka localhost:1 --topic a --client-config nowhere.properties, nowhere.properties",
        "dlq import --kafka nowhere --topic a, bootstrap.servers"
    })
    void options_that_do_not_fit_together_are_refused_and_nothing_is_imported(String command, String message) {
        Ran ran = desk.run(command);
        assertThat(ran.err()).contains(message);
        assertThat(ran.code()).isEqualTo(2);
        assertThat(desk.letters()).isEmpty();
    }
}
