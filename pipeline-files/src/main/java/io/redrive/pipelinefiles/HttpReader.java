package io.redrive.pipelinefiles;

import io.redrive.items.Stage;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads the section of a stage of kind {@code http}. */
final class HttpReader {

    private static final List<String> METHODS = List.of("GET", "POST", "PUT", "PATCH", "DELETE");
    private static final List<String> WITH_BODY = List.of("POST", "PUT", "PATCH");

    private final StageSection section;
    private final YamlSection keys;

    private HttpReader(StageSection section) {
        this.section = section;
        keys = section.keys();
    }

    static Stage<String, String> read(StageSection section) {
        return new HttpReader(section).stage();
    }

    private Stage<String, String> stage() {
        Optional<StageSection.Batch> batch = section.batch();
        HttpCall.Request request = request();
        boolean json = section.answersInJson();
        Optional<TokenLimit> tokens =
                section.tokenLimit(keys.required("http", "a name").text());
        if (tokens.isPresent() && !json) {
            throw keys.required("rate-limit", "")
                    .wrong("must not limit tokens with 'answer: text', which has no number of tokens");
        }
        HttpCall call = new HttpCall(
                request, json, section.maxPayload(), section.context().time(), tokens);
        checkUrl(call);
        Stage<String, String> stage = batch.isPresent() ? batched(batch.get(), request, call, json) : single(call);
        return tokens.map(limit -> limit.applied(stage)).orElse(stage);
    }

    private Stage<String, String> single(HttpCall call) {
        for (String key : List.of("item", "pick-each")) {
            keys.find(key).ifPresent(value -> {
                throw value.wrong("must not be set without 'batch', because it describes one sample of a batch");
            });
        }
        HttpStage stage = new HttpStage(call, section.answers("pick"));
        return section.named("http", name -> Stage.of(name, null, stage));
    }

    private Stage<String, String> batched(
            StageSection.Batch batch, HttpCall.Request request, HttpCall call, boolean json) {
        if (!json) {
            throw keys.value()
                    .wrong("must not have both 'batch' and 'answer: text': the answers of a batch are an array");
        }
        if (request.namesOneSample()) {
            throw keys.value()
                    .wrong(
                            "must not name ${id}, ${ordinal} or ${attempt} in url, headers or body with 'batch', which has"
                                    + " several samples; name them in 'item'");
        }
        JsonTemplate item = keys.find("item").map(section::jsonTemplate).orElse(JsonTemplate.sample());
        HttpStage.Batched stage =
                new HttpStage.Batched(call, item, section.pointer("pick"), section.answers("pick-each"));
        return section.named("http", name -> {
            Stage<String, String> made = Stage.batchOf(name, batch.size(), null, stage);
            return batch.waiting().map(made::batchWait).orElse(made);
        });
    }

    private HttpCall.Request request() {
        Optional<YamlValue> body = keys.find("body");
        String method = keys.get("method", HttpReader::method, "POST");
        Template url = section.template(keys.required("url", "http://localhost:8080/v1/summaries"));
        Optional<HttpCall.Body> usual = WITH_BODY.contains(method)
                ? Optional.of(new HttpCall.Body.Json(JsonTemplate.sample()))
                : Optional.empty();
        return new HttpCall.Request(method, url, headers(), body.map(this::body).or(() -> usual));
    }

    private static String method(String text) {
        return Parse.word(text.toUpperCase(Locale.ROOT), METHODS.toArray(String[]::new));
    }

    private HttpCall.Body body(YamlValue value) {
        if (value.isMapping() || value.isList()) {
            return new HttpCall.Body.Json(section.jsonTemplate(value));
        }
        String text = value.text();
        if (!text.strip().startsWith("{") && !text.strip().startsWith("[")) {
            return new HttpCall.Body.Plain(section.template(value));
        }
        // A text template puts values in unchanged, so a quote in a value would break the JSON.
        return new HttpCall.Body.Json(value.as(json -> {
            try {
                return JsonTemplate.of(JsonValue.parse(json), section.environment());
            } catch (IllegalArgumentException e) {
                throw new RuleException(
                        e.getMessage()
                                + "; put placeholders in quotes, a placeholder alone in its quotes keeps its type",
                        e);
            }
        }));
    }

    private Map<String, Template> headers() {
        Map<String, Template> headers = new LinkedHashMap<>();
        Optional<YamlValue> given = keys.find("headers");
        given.ifPresent(value -> value.members().forEach((name, header) -> {
            Template template = section.template(header);
            requireSendable(name, template, header);
            headers.put(name, template);
        }));
        return headers;
    }

    /** Refuses headers reserved by the HTTP client, by trying to set the header: the client has no list to ask. */
    private static void requireSendable(String name, Template template, YamlValue header) {
        try {
            HttpRequest.newBuilder(URI.create("http://localhost/"))
                    .header(name, template.isFixed() ? template.start() : "");
        } catch (IllegalArgumentException e) {
            // The message of the client is left out, because it shows the value, which may be a secret.
            throw header.wrong(
                    "must be a header that may be sent, with a value of printable characters, got '" + name + "'");
        }
    }

    private void checkUrl(HttpCall call) {
        try {
            call.check();
        } catch (IllegalArgumentException e) {
            YamlValue url = keys.required("url", "");
            throw url.wrong(e.getMessage() + ", got " + url.shown(), e);
        }
    }
}
