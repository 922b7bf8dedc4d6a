package io.redrive.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.redrive.core.ManualTime;
import io.redrive.core.Reason;
import io.redrive.events.AttemptRecord;
import io.redrive.events.Claim;
import io.redrive.events.ClaimRequest;
import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import io.redrive.events.Fingerprint;
import io.redrive.events.InMemoryEventStore;
import io.redrive.events.Lane;
import io.redrive.events.LetterFilter;
import io.redrive.events.Settlement;
import io.redrive.events.redaction.Redaction;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The generated tests are compiled and run. */
class LetterTestSourceTest {

    private static final String HOSTILE = "*/ } static { System.exit(1); } \\u0022 @NAME@ \"\"\" \n\r\t \0 ü 😀 $1 \\";

    @TempDir
    private Path folder;

    private final ManualTime time = new ManualTime();
    private final InMemoryEventStore store = new InMemoryEventStore();
    private final Operations operations = Operations.of(store, Operator.named("ann", Role.VIEWER), time);

    @Test
    void a_generated_test_fails_with_the_error_type_text_and_cause_of_the_letter() throws Exception {
        DeadLetter letter = letter(
                event -> event.json("{\"total\": 12}").header("tenant", "a").orderingKey("k"));
        GeneratedTest test = generated(letter, "com.example.orders");

        assertThat(test.className()).isEqualTo("OrderPaidLetter" + letter.id() + "Test");
        assertThat(failureOf(test))
                .hasMessageContaining("IOException: java.io.IOException: connection refused")
                .hasMessageContaining("(cause " + letter.fingerprint() + ")");
    }

    @Test
    void a_generated_test_passes_once_its_handler_handles_the_event() throws Exception {
        GeneratedTest test = generated(letter(event -> event.json("{\"total\": 12}")), "");
        String handled = test.source()
                .replace(
                        "throw new RecordedFailure();",
                        "if (!event.text().equals(\"{\\\"total\\\": 12}\")) throw new AssertionError(event.text());");

        run(new GeneratedTest("", test.className(), handled, test.payload()));
    }

    @Test
    void hostile_texts_stay_texts() throws Exception {
        DeadLetter letter = die(
                Event.named("order.paid")
                        .source("shop")
                        .time(time)
                        .header("note", HOSTILE.replaceAll("[\\p{Cntrl}]", ""))
                        .text(HOSTILE)
                        .build(),
                "Weird\"Type*/",
                HOSTILE);
        GeneratedTest test = generated(letter, "");

        assertThat(test.source()).isASCII();
        assertThat(failureOf(test)).hasMessageContaining("static { System.exit(1); }");
    }

    @Test
    void large_and_binary_payloads_become_a_resource() throws Exception {
        byte[] binary = {0, -1, 7};
        GeneratedTest small = generated(letter(event -> event.payload(binary, "application/octet-stream")), "a.b");
        assertThat(small.payload()).contains(binary);
        assertThat(failureOf(small)).hasMessageContaining("connection refused");

        GeneratedTest large = generated(letter(event -> event.text("x".repeat(LetterTestSource.MAX_INLINE + 1))), "");
        assertThat(large.payload()).isPresent();
        assertThat(failureOf(large)).hasMessageContaining("connection refused");
    }

    @Test
    void redacted_values_are_not_in_the_source() {
        DeadLetter letter = letter(event -> event.json("{\"card\": {\"number\": \"pan-4111\"}, \"total\": 1.50}")
                .header("Authorization", "secret"));
        GeneratedTest test = operations
                .letters()
                .test(letter.id(), "", Redaction.of(List.of("/card/number", "header:authorization")))
                .orElseThrow();

        assertThat(test.source()).doesNotContain("pan-4111", "secret").contains("[redacted]", "\\\"total\\\":1.50");
    }

    @Test
    void a_package_that_is_no_java_name_and_an_unknown_letter_are_told() {
        DeadLetter letter = letter(event -> event.text("x"));
        assertThatThrownBy(() -> generated(letter, "com.class"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("package must be a Java name", "got 'com.class'");
        assertThat(operations.letters().test(999, "", Redaction.of(List.of()))).isEmpty();
    }

    private GeneratedTest generated(DeadLetter letter, String packageName) {
        return operations
                .letters()
                .test(letter.id(), packageName, Redaction.of(List.of()))
                .orElseThrow();
    }

    private Throwable failureOf(GeneratedTest test) throws Exception {
        try {
            run(test);
        } catch (InvocationTargetException e) {
            assertThat(e.getCause()).isInstanceOf(AssertionError.class);
            return e.getCause();
        }
        throw new AssertionError("the generated test passed");
    }

    private void run(GeneratedTest test) throws Exception {
        Path dir = Files.createTempDirectory(folder, "generated");
        Path source = Files.writeString(dir.resolve(test.fileName()), test.source());
        int code = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        System.out,
                        System.out,
                        "-proc:none",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        "-d",
                        dir.toString(),
                        source.toString());
        assertThat(code).as("compiles").isZero();
        String prefix = test.packageName().isEmpty() ? "" : test.packageName() + ".";
        if (test.payload().isPresent()) {
            Path beside = dir.resolve(prefix.replace('.', '/'));
            Files.write(beside.resolve(test.payloadName()), test.payload().get());
        }
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {dir.toUri().toURL()}, getClass().getClassLoader())) {
            Class<?> type = loader.loadClass(prefix + test.className());
            var constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            Method method = Arrays.stream(type.getDeclaredMethods())
                    .filter(each -> each.isAnnotationPresent(Test.class))
                    .findFirst()
                    .orElseThrow();
            method.setAccessible(true);
            method.invoke(constructor.newInstance());
        }
    }

    private DeadLetter letter(UnaryOperator<Event.Builder> more) {
        return die(
                more.apply(Event.named("order.paid").source("shop").time(time)).build(),
                "IOException",
                "java.io.IOException: connection refused");
    }

    private DeadLetter die(Event event, String errorType, String message) {
        store.publish(List.of(event), time.now());
        Claim claim = store.claim(new ClaimRequest("n", Lane.DOMAIN, 1, false, Duration.ofSeconds(30), time.now()))
                .get(0);
        AttemptRecord attempt =
                new AttemptRecord(1, time.now(), "n", Duration.ZERO, errorType, message, "dead", "not retryable");
        String cause = Fingerprint.of(errorType, message);
        store.settle(List.of(new Settlement.Dead(claim, Reason.NOT_RETRYABLE, attempt, cause, "shop")), time.now());
        List<DeadLetter> letters = store.deadLetters().newest(LetterFilter.ALL, Long.MAX_VALUE, 1);
        return letters.get(0);
    }
}
