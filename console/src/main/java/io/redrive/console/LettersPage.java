package io.redrive.console;

import io.redrive.core.Reason;
import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetterJson;
import io.redrive.events.LetterFilter;
import io.redrive.operations.CauseView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.springframework.http.HttpStatus;
import org.springframework.web.servlet.function.ServerResponse;

/** Lists dead letters that a filter selects, and exports them. */
final class LettersPage {

    private static final int PAGE = 50;
    private static final int EXPORTED_AT_ONCE = 50;
    private static final int SUGGESTED_FROM = 50;

    /**
     * Values to suggest in the filter.
     *
     * @param names event names
     * @param errors error types
     */
    record Suggestions(SortedSet<String> names, SortedSet<String> errors) {}

    /**
     * The facts of the page.
     *
     * @param scope the filter
     * @param complaint why the filter cannot be used; empty for a usable filter
     * @param letters the letters of this page, the newest first
     * @param count the number of letters that the filter selects; empty when counting would read all payloads
     * @param older the link to the next page; empty on the last
     * @param first true for the first page
     * @param suggestions values to suggest
     * @param fields fields of payloads with their values, to suggest
     */
    record View(
            Scope scope,
            String complaint,
            List<DeadLetter> letters,
            OptionalLong count,
            String older,
            boolean first,
            Suggestions suggestions,
            List<String> fields) {

        List<String> reasons() {
            return Arrays.stream(Reason.values()).map(Reason::code).toList();
        }

        /** Returns the first line of the page. */
        String inWords() {
            if (!complaint.isEmpty()) {
                return "This filter cannot be used.";
            }
            if (letters.isEmpty()) {
                return scope.isAll() ? "No dead letters." : "No dead letter matches this filter.";
            }
            String number = count.isPresent() ? Format.counted(count.getAsLong(), "dead letter") : "Dead letters";
            return scope.isAll() ? number + "." : number + " with " + scope.inWords() + ".";
        }
    }

    private final Renderer renderer;

    LettersPage(Renderer renderer) {
        this.renderer = renderer;
    }

    ServerResponse show(Visit visit) {
        return renderer.html(visit, "letters", view(visit));
    }

    private static View view(Visit visit) {
        Scope scope;
        long before;
        try {
            scope = Scope.of(visit);
            before = visit.param("before").isEmpty() ? Long.MAX_VALUE : Scope.id(visit.param("before"));
        } catch (IllegalArgumentException e) {
            Scope unusable = new Scope(Query.of(visit.params(), Scope.PARAMS), LetterFilter.ALL);
            return view(visit, unusable, String.valueOf(e.getMessage()), List.of(), true);
        }
        List<DeadLetter> letters = visit.operations().letters().newest(scope.filter(), before, PAGE + 1);
        return view(visit, scope, "", letters, before == Long.MAX_VALUE);
    }

    private static View view(Visit visit, Scope scope, String complaint, List<DeadLetter> found, boolean first) {
        List<DeadLetter> letters = found.stream().limit(PAGE).toList();
        String older = found.size() <= PAGE
                ? ""
                : visit.url(
                        "/letters",
                        scope.query()
                                .with(
                                        "before",
                                        String.valueOf(letters.get(PAGE - 1).id())));
        return new View(
                scope,
                complaint,
                letters,
                complaint.isEmpty() ? count(visit, scope, found, first) : OptionalLong.empty(),
                older,
                first,
                new Suggestions(
                        letters.stream()
                                .map(letter -> letter.event().name())
                                .collect(Collectors.toCollection(TreeSet::new)),
                        letters.stream().map(DeadLetter::errorType).collect(Collectors.toCollection(TreeSet::new))),
                PayloadPaths.suggested(letters.isEmpty() ? others(visit, scope) : letters));
    }

    /** Returns letters for suggestions where the list is empty: the newest that are selected without the field of the payload. */
    private static List<DeadLetter> others(Visit visit, Scope scope) {
        return scope.filter().payload().isEmpty()
                ? List.of()
                : visit.operations()
                        .letters()
                        .newest(scope.filter().withoutPayload(), Long.MAX_VALUE, PayloadPaths.LETTERS);
    }

    /** Sends names and error types of the latest causes, which the page fetches when the operator goes to the filter. */
    ServerResponse suggest(Visit visit) {
        List<CauseView> causes = visit.operations().causes().latest(SUGGESTED_FROM);
        Suggestions suggestions = new Suggestions(
                causes.stream()
                        .flatMap(cause -> cause.cause().names().stream())
                        .collect(Collectors.toCollection(TreeSet::new)),
                causes.stream().map(cause -> cause.cause().errorType()).collect(Collectors.toCollection(TreeSet::new)));
        return renderer.html(visit, "suggestions", suggestions);
    }

    private static OptionalLong count(Visit visit, Scope scope, List<DeadLetter> found, boolean first) {
        if (first && found.size() <= PAGE) {
            return OptionalLong.of(found.size());
        }
        if (scope.isAll()) {
            return OptionalLong.of(visit.operations().events().stats().dead());
        }
        return scope.isSlow()
                ? OptionalLong.empty()
                : OptionalLong.of(visit.operations().letters().count(scope.filter()));
    }

    /** Writes the letters as JSON lines, page by page: memory stays small. */
    ServerResponse export(Visit visit) {
        Scope scope = Scope.of(visit).frozenAt(visit.now());
        return Renderer.headed(HttpStatus.OK)
                .header("Content-Disposition", "attachment; filename=\"dead-letters.jsonl\"")
                .build((request, response) -> {
                    response.setContentType("application/x-ndjson");
                    response.setCharacterEncoding(StandardCharsets.UTF_8);
                    write(visit, scope.filter(), response.getWriter());
                    return null;
                });
    }

    private static void write(Visit visit, LetterFilter filter, Writer out) {
        try {
            long last = 0;
            List<DeadLetter> page = visit.operations().letters().oldestWithHistory(filter, last, EXPORTED_AT_ONCE);
            while (!page.isEmpty()) {
                for (DeadLetter letter : page) {
                    out.write(DeadLetterJson.write(letter));
                    out.write('\n');
                }
                out.flush();
                last = page.get(page.size() - 1).id();
                page = visit.operations().letters().oldestWithHistory(filter, last, EXPORTED_AT_ONCE);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
