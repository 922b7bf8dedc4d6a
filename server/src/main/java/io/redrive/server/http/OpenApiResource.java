package io.redrive.server.http;

import io.redrive.console.ConsoleProperties;
import io.redrive.server.problem.Problem;
import io.redrive.server.problem.ProblemAnswers;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.springframework.boot.webmvc.error.ErrorController;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Serves the OpenAPI document of this API, and answers what the container refuses. */
@RestController
class OpenApiResource implements ErrorController {

    static final String DOCUMENT = "/openapi.yaml";

    private final byte[] document;
    private final ConsoleProperties console;

    OpenApiResource(ConsoleProperties console) throws IOException {
        this.console = console;
        try (InputStream in = OpenApiResource.class.getResourceAsStream(DOCUMENT)) {
            document = in == null ? new byte[0] : in.readAllBytes();
        }
    }

    @GetMapping("/api/v1/openapi.yaml")
    ResponseEntity<String> document() {
        return ResponseEntity.ok()
                .contentType(MediaType.parseMediaType("application/yaml"))
                .body(new String(document, StandardCharsets.UTF_8));
    }

    /** A browser that opens the server sees the console. */
    @GetMapping("/")
    ResponseEntity<Void> home() {
        return ResponseEntity.status(HttpStatus.FOUND)
                .location(URI.create(console.path()))
                .build();
    }

    /** Answers a request that no resource saw: refused by the container or by a filter. */
    @RequestMapping("/error")
    void error(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Object code = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
        HttpStatus status = code instanceof Integer known ? HttpStatus.resolve(known) : HttpStatus.NOT_FOUND;
        HttpStatus told = status == null ? HttpStatus.BAD_REQUEST : status;
        ProblemAnswers.write(
                response, Problem.of(told, "refused", "the request is refused: " + told.getReasonPhrase()));
    }
}
