package io.redrive.cli.demo;

import io.redrive.cli.command.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Writes the files of {@code demo run}: articles, and a pipeline file that summarizes articles. */
final class DemoArticles {

    private static final List<String> SUBJECTS = List.of(
            "The city council", "A small bakery", "The research vessel", "An old railway line", "The night shift");
    private static final List<String> DEEDS = List.of(
            "has found a way to save half of its energy",
            "opens its doors again after the flood",
            "asks for volunteers who can read maps",
            "keeps a record of every storm since 1911",
            "will be rebuilt within two years",
            "owes its name to a mistake");
    private static final List<String> ENDINGS = List.of(
            "Nobody had expected it.",
            "The costs are not known yet.",
            "Neighbours say it was about time.",
            "A vote is due in March.");

    private static final int FOREIGN_EVERY = 9;
    private static final int LEGAL_EVERY = 50;
    private static final int BROKEN_AT = 123;

    private DemoArticles() {}

    /** Writes {@code count} articles as JSON lines; article 123 is cut off. */
    static void write(Path file, int count) throws IOException {
        List<String> lines = new ArrayList<>();
        for (int n = 1; n <= count; n++) {
            String line = article(n);
            lines.add(n == BROKEN_AT ? line.substring(0, line.length() / 2) : line);
        }
        Files.write(file, lines);
    }

    private static String article(int n) {
        String text = SUBJECTS.get(n % SUBJECTS.size()) + " " + DEEDS.get(n % DEEDS.size()) + ". "
                + ENDINGS.get(n % ENDINGS.size()) + (n % LEGAL_EVERY == 0 ? " See § 7 of the act." : "");
        return new JsonObject()
                .put("id", "article-" + n)
                .put("lang", n % FOREIGN_EVERY == 0 ? "de" : "en")
                .put("text", text)
                .toString();
    }

    /** Returns the pipeline file for a model that listens on {@code port}. */
    static String pipeline(int port) {
        return """
                # English articles get a summary and an embedding from a service that is slow, limited and sometimes down.
                name: summaries
                id: /id
                stages:
                  - filter: english
                    where: /lang == "en"

                  - http: summarize
                    url: http://127.0.0.1:%1$d/v1/complete
                    headers:
                      Idempotency-Key: ${run}/${ordinal}
                    body:
                      model: tiny-1
                      prompt: "Summarize in one sentence: ${/text}"
                    pick: /choices/0/text
                    into: /summary
                    concurrency: 8
                    time-limit: 2s
                    retry:
                      max-attempts: 6
                      initial-delay: 200ms
                      max-delay: 10s

                  - http: embed
                    url: http://127.0.0.1:%1$d/v1/embeddings
                    batch: 16
                    item: ${/summary}
                    body: {model: tiny-embed, input: "${}"}
                    pick: /data
                    pick-each: /embedding
                    into: /vector
                    time-limit: 2s
                    retry: {max-attempts: 6, initial-delay: 200ms}
                """.formatted(port);
    }
}
