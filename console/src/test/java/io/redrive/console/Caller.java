package io.redrive.console;

import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A browser without JavaScript: keeps cookies, sends forms with their hidden fields. */
final class Caller {

    private static final Pattern HIDDEN =
            Pattern.compile("<input type=\"hidden\" name=\"(_csrf|_form)\" value=\"([^\"]*)\">");

    private final HttpClient http = HttpClient.newBuilder()
            .cookieHandler(new CookieManager())
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
    private final String base;
    private final String user;

    Caller(String base, String user) {
        this.base = base;
        this.user = user;
    }

    HttpResponse<String> get(String path) {
        return send(request(path).GET());
    }

    /** Loads a page, then sends its form with these fields. */
    HttpResponse<String> submit(String page, String path, Map<String, String> fields) {
        List<String> pairs = new ArrayList<>();
        Matcher hidden = HIDDEN.matcher(get(page).body());
        List<String> seen = new ArrayList<>();
        while (hidden.find()) {
            if (!seen.contains(hidden.group(1))) {
                seen.add(hidden.group(1));
                pairs.add(pair(hidden.group(1), hidden.group(2)));
            }
        }
        fields.forEach((name, value) -> pairs.add(pair(name, value)));
        return post(path, String.join("&", pairs));
    }

    HttpResponse<String> post(String path, String form) {
        return send(request(path)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(form)));
    }

    HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError("no answer", e);
        }
    }

    HttpRequest.Builder request(String path) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(base + path)).timeout(Duration.ofSeconds(30));
        if (!user.isEmpty()) {
            String pair = user + ":" + Shop.PASSWORD;
            request.header(
                    "Authorization",
                    "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)));
        }
        return request;
    }

    private static String pair(String name, String value) {
        return name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
    }
}
