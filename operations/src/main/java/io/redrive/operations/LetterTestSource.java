package io.redrive.operations;

import io.redrive.events.DeadLetter;
import io.redrive.events.Event;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.lang.model.SourceVersion;

/**
 * Writes a JUnit test for a dead letter. Texts of the letter occur only inside string literals: a hostile error text or header
 * cannot become code.
 */
final class LetterTestSource {

    /** Larger payloads, and payloads that are no text, become a resource beside the test. */
    static final int MAX_INLINE = 16 * 1024;

    private static final Pattern NO_LETTER_OR_DIGIT = Pattern.compile("[^A-Za-z0-9]+");
    private static final Pattern PLACEHOLDER = Pattern.compile("@([A-Z_]+)@");
    private static final String INDENT = "                        ";

    private static final String TEMPLATE = """
            import static org.junit.jupiter.api.Assertions.assertEquals;
            import static org.junit.jupiter.api.Assertions.fail;

            import io.redrive.core.HasKind;
            import io.redrive.core.ManualTime;
            import io.redrive.events.DeadLetter;
            import io.redrive.events.Event;
            import io.redrive.events.InMemoryEventStore;
            import io.redrive.events.LetterFilter;
            import io.redrive.events.Priority;
            import io.redrive.pipeline.Pipeline;
            import java.time.Duration;
            import org.junit.jupiter.api.Test;

            /** Dead letter @ID@ as a test: handles its event again and fails while the event dies. */
            class @CLASS@ {

                /** Replace the body by a call of your handler. Until then the event fails as the letter did. */
                private static void handle(Event event) throws Exception {
                    throw new RecordedFailure();
                }

                @Test
                void the_event_of_letter_@ID@_is_handled() throws Exception {
                    ManualTime time = new ManualTime();
                    InMemoryEventStore store = new InMemoryEventStore();
                    Pipeline pipeline = Pipeline.on(store)
                            .on(@NAME@, @CLASS@::handle)
                            .executor(Runnable::run)
                            .time(time)
                            .build();
                    pipeline.publish(event(time));
                    for (int i = 0; i < 100 && store.stats(time.now()).ready() + store.stats(time.now()).delayed() > 0; i++) {
                        pipeline.drain();
                        time.advance(Duration.ofHours(1));
                    }
                    for (DeadLetter letter : store.deadLetters().list(LetterFilter.ALL, 0, 1)) {
                        fail("the event died: " + letter.reason().code() + ", " + letter.errorType() + ": " + letter.lastError()
                                + " (cause " + letter.fingerprint() + ")");
                    }
                    assertEquals(0, store.stats(time.now()).ready() + store.stats(time.now()).delayed(), "events that still wait");
                }

                private static Event event(ManualTime time) throws Exception {
                    return Event.named(@NAME@)
                            .id(@EVENT_ID@)
                            .source(@SOURCE@)
                            .priority(Priority.@PRIORITY@)@MORE@
                            .payload(@PAYLOAD@, @CONTENT_TYPE@)
                            .time(time)
                            .build();
                }

                /** The failure that the letter recorded. */
                private static final class RecordedFailure extends Exception implements HasKind {
                    private static final long serialVersionUID = 1L;

                    RecordedFailure() {
                        super(@ERROR@);
                    }

                    @Override
                    public String kind() {
                        return @ERROR_TYPE@;
                    }
                }
            }
            """;

    private LetterTestSource() {}

    /**
     * Writes the test.
     *
     * @param packageName the package of the class; empty for none
     * @throws IllegalArgumentException when the package is no Java name
     */
    static GeneratedTest of(DeadLetter letter, String packageName) {
        Event event = letter.event();
        if (!packageName.isEmpty() && !SourceVersion.isName(packageName)) {
            throw new IllegalArgumentException(
                    "package must be a Java name such as com.example.orders, got '" + packageName + "'");
        }
        String className = className(event.name(), letter.id());
        Optional<String> text = inline(event.payload());
        String payload = text.map(value ->
                        "(" + JavaText.literal(value, INDENT) + ").getBytes(java.nio.charset.StandardCharsets.UTF_8)")
                .orElse(className + ".class.getResourceAsStream(\"" + className + ".payload\").readAllBytes()");
        String source = (packageName.isEmpty() ? "" : "package " + packageName + ";\n\n")
                + TEMPLATE.replace("@ID@", String.valueOf(letter.id()))
                        .replace("@CLASS@", className)
                        .replace("@PRIORITY@", event.priority().name());
        // Texts of the letter are filled in by one pass: a text that looks like a placeholder stays a text.
        return new GeneratedTest(
                packageName,
                className,
                replaced(source, letter, event, payload),
                text.isPresent() ? Optional.empty() : Optional.of(event.payload()));
    }

    private static String replaced(String source, DeadLetter letter, Event event, String payload) {
        return PLACEHOLDER.matcher(source).replaceAll(found -> {
            String value = switch (found.group(1)) {
                case "NAME" -> literal(event.name());
                case "EVENT_ID" -> literal(event.id());
                case "SOURCE" -> literal(event.source());
                case "MORE" -> more(event);
                case "PAYLOAD" -> payload;
                case "CONTENT_TYPE" -> literal(event.contentType());
                case "ERROR" -> literal(letter.lastError());
                case "ERROR_TYPE" -> literal(letter.errorType());
                default -> found.group();
            };
            return Matcher.quoteReplacement(value);
        });
    }

    private static String more(Event event) {
        StringBuilder code = new StringBuilder();
        event.correlationId().ifPresent(value -> call(code, "correlationId", literal(value)));
        event.orderingKey().ifPresent(value -> call(code, "orderingKey", literal(value)));
        event.headers().forEach((name, value) -> call(code, "header", literal(name) + ", " + literal(value)));
        return code.toString();
    }

    private static void call(StringBuilder code, String method, String arguments) {
        code.append("\n                .")
                .append(method)
                .append('(')
                .append(arguments)
                .append(')');
    }

    private static String literal(String text) {
        return JavaText.literal(text, INDENT);
    }

    private static String className(String eventName, long id) {
        StringBuilder name = new StringBuilder();
        for (String word : NO_LETTER_OR_DIGIT.split(eventName)) {
            if (!word.isEmpty()) {
                name.append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
            }
        }
        boolean usable = name.length() > 0 && Character.isLetter(name.charAt(0));
        return (usable ? "" : "Event") + name + "Letter" + id + "Test";
    }

    private static Optional<String> inline(byte[] payload) {
        if (payload.length > MAX_INLINE) {
            return Optional.empty();
        }
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(payload))
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }
}
