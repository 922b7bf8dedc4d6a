package io.redrive.server.http;

import io.redrive.events.DeadLetter;
import io.redrive.events.DeadLetterJson;
import io.redrive.events.LetterFilter;
import io.redrive.operations.LetterImport;
import io.redrive.operations.LetterOperations;
import io.redrive.server.problem.Problem;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Export and import of dead letters as JSON lines, the form that the command line reads and writes. */
@RestController
class LetterTransferResource {

    private static final String JSON_LINES = "application/x-ndjson";
    /** Letters come with payloads, so pages are small. */
    private static final int PAGE = 100;

    private final CallerOperations operations;

    LetterTransferResource(CallerOperations operations) {
        this.operations = operations;
    }

    @GetMapping("/api/v1/letters/export")
    void exportLetters(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Query query = Query.of(request, LetterFilters.NAMES);
        LetterFilter filter = LetterFilters.of(query);
        LetterOperations letters = operations.of(request).letters();
        // Before the first byte, so that a refusal is still an answer.
        List<DeadLetter> page = letters.oldestWithHistory(filter, 0, PAGE);
        response.setContentType(JSON_LINES);
        Writer out = new BufferedWriter(new OutputStreamWriter(response.getOutputStream(), StandardCharsets.UTF_8));
        while (!page.isEmpty()) {
            for (DeadLetter letter : page) {
                out.write(DeadLetterJson.write(letter));
                out.write('\n');
            }
            page = letters.oldestWithHistory(filter, page.get(page.size() - 1).id(), PAGE);
        }
        out.flush();
    }

    /** Reads all lines before the first letter is stored: a body with a mistake changes nothing. */
    @PostMapping("/api/v1/letters/import")
    Map<String, Object> importLetters(HttpServletRequest request, @RequestBody byte[] body) {
        String origin = Query.of(request, "from").text("from").orElse("a request");
        List<DeadLetter> letters = new ArrayList<>();
        long line = 0;
        for (String json : text(body).split("\n")) {
            line++;
            if (!json.isBlank()) {
                letters.add(DeadLetterJson.read(json, line));
            }
        }
        if (letters.isEmpty()) {
            throw Problem.wrong("body", null, "must have at least one letter, one JSON object in each line");
        }
        LetterImport taking = operations.of(request).letters().beginImport(origin);
        for (int from = 0; from < letters.size(); from += PAGE) {
            taking.add(letters.subList(from, Math.min(letters.size(), from + PAGE)));
        }
        return new Answer()
                .put("offered", taking.offered())
                .put("imported", taking.taken())
                .done();
    }

    private static String text(byte[] body) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body))
                    .toString();
        } catch (CharacterCodingException e) {
            throw Problem.wrong("body", null, "must be UTF-8 text");
        }
    }
}
