package io.redrive.server.mcp;

import io.redrive.server.problem.Problem;
import io.redrive.server.problem.ProblemAnswers;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.filter.OncePerRequestFilter;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Refuses bodies that are no JSON-RPC message. The servlet behind would answer some of them with its own exceptions. */
final class RpcBodyFilter extends OncePerRequestFilter {

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private final int limit;

    RpcBodyFilter(int limit) {
        this.limit = limit;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (!request.getMethod().equals("POST")) {
            response.setHeader(HttpHeaders.ALLOW, "POST");
            refuse(response, HttpStatus.METHOD_NOT_ALLOWED, "method", "this path knows the method POST only");
            return;
        }
        String accept = request.getHeader(HttpHeaders.ACCEPT);
        if (accept == null || !accept.contains("application/json") || !accept.contains("text/event-stream")) {
            refuse(
                    response,
                    HttpStatus.NOT_ACCEPTABLE,
                    "media-type",
                    "the header Accept must name application/json and text/event-stream");
            return;
        }
        byte[] body = request.getInputStream().readNBytes(limit + 1);
        if (body.length > limit) {
            refuse(
                    response,
                    HttpStatus.CONTENT_TOO_LARGE,
                    "too-large",
                    "the body must have at most " + limit + " bytes");
        } else if (!isMessage(body)) {
            refuse(
                    response,
                    HttpStatus.BAD_REQUEST,
                    "invalid",
                    "the body must be one JSON-RPC 2.0 message: an object with jsonrpc and method");
        } else {
            chain.doFilter(new Read(request, body), response);
        }
    }

    private static boolean isMessage(byte[] body) {
        try {
            JsonNode message = body.length == 0 ? null : JSON.readTree(body);
            return message != null
                    && message.isObject()
                    && message.path("jsonrpc").asString("").equals("2.0")
                    && message.path("method").isString()
                    && isIdOrMissing(message.get("id"))
                    && (!message.has("params") || message.path("params").isObject());
        } catch (JacksonException e) {
            return false;
        }
    }

    private static boolean isIdOrMissing(@Nullable JsonNode id) {
        return id == null || id.isString() || id.isIntegralNumber();
    }

    private static void refuse(HttpServletResponse response, HttpStatus status, String type, String detail)
            throws IOException {
        ProblemAnswers.write(response, Problem.of(status, type, detail));
    }

    /** A request whose body was read. */
    private static final class Read extends HttpServletRequestWrapper {

        private final byte[] body;

        Read(HttpServletRequest request, byte[] body) {
            super(request);
            this.body = body;
        }

        @Override
        public ServletInputStream getInputStream() {
            ByteArrayInputStream bytes = new ByteArrayInputStream(body);
            return new ServletInputStream() {
                @Override
                public int read() {
                    return bytes.read();
                }

                @Override
                public boolean isFinished() {
                    return bytes.available() == 0;
                }

                @Override
                public boolean isReady() {
                    return true;
                }

                @Override
                public void setReadListener(ReadListener listener) {
                    throw new IllegalStateException("the body was read");
                }
            };
        }

        @Override
        public BufferedReader getReader() {
            return new BufferedReader(new InputStreamReader(getInputStream(), StandardCharsets.UTF_8));
        }
    }
}
