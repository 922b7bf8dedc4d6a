package io.redrive.console;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.ServerResponse;

/** Turns a template and its record into a response. Every page forbids inline scripts, inline styles, frames and other hosts. */
final class Renderer {

    static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
                    + " form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

    private static final MediaType HTML = new MediaType(MediaType.TEXT_HTML, StandardCharsets.UTF_8);
    private static final int USUAL_LENGTH = 32_000;
    private static final int SESSION = -1;

    private final TemplateEngine templates = TemplateEngine.createPrecompiled(
            null, ContentType.Html, Renderer.class.getClassLoader(), Renderer.class.getPackageName());

    ServerResponse html(Visit visit, String template, Object page) {
        return html(HttpStatus.OK, visit, template, page);
    }

    ServerResponse html(HttpStatus status, Visit visit, String template, Object page) {
        StringOutput out = new StringOutput(USUAL_LENGTH);
        templates.render(template + ".jte", Map.of("visit", visit, "page", page), out);
        ServerResponse.BodyBuilder response = headed(status).contentType(HTML);
        if (visit.token().isFresh()) {
            response.cookie(Notice.cookie(FormToken.COOKIE, visit.token().text(), visit.root(), SESSION));
        }
        if (visit.notice().isPresent()) {
            response.cookie(Notice.removed(visit.root()));
        }
        return response.body(out.toString());
    }

    static ServerResponse.BodyBuilder headed(HttpStatus status) {
        return ServerResponse.status(status)
                .header("Content-Security-Policy", POLICY)
                .header("X-Content-Type-Options", "nosniff")
                .header("Referrer-Policy", "same-origin")
                .header("Cache-Control", "no-store");
    }

    /** Sends the browser to another page after a command, with a notice about the command. */
    static ServerResponse redirect(Visit visit, String path, String notice) {
        return ServerResponse.status(HttpStatus.SEE_OTHER)
                .location(URI.create(visit.url(path)))
                .cookie(Notice.cookie(notice, visit.root()))
                .header("Cache-Control", "no-store")
                .build();
    }
}
