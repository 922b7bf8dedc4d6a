package io.redrive.server.access;

import io.redrive.core.Time;
import io.redrive.server.config.CurrentProperties;
import io.redrive.server.problem.LimitedInput;
import io.redrive.server.problem.Problem;
import io.redrive.server.problem.ProblemAnswers;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.filter.OncePerRequestFilter;

/** Limits the size of bodies and the time to send one. Packed bodies are refused: a small one could unpack to any size. */
final class BodyLimitFilter extends OncePerRequestFilter {

    private final CurrentProperties current;
    private final Time time;

    BodyLimitFilter(CurrentProperties current, Time time) {
        this.current = current;
        this.time = time;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        long most = current.get().limits().body().toBytes();
        String encoding = request.getHeader(HttpHeaders.CONTENT_ENCODING);
        if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
            ProblemAnswers.write(
                    response,
                    Problem.of(HttpStatus.UNSUPPORTED_MEDIA_TYPE, "content-encoding", "a body must be sent unpacked"));
        } else if (isForm(request)) {
            ProblemAnswers.write(
                    response,
                    Problem.of(
                            HttpStatus.UNSUPPORTED_MEDIA_TYPE,
                            "media-type",
                            "the API reads no forms; send JSON with the header content-type: application/json"));
        } else if (request.getContentLengthLong() > most) {
            response.setHeader(HttpHeaders.CONNECTION, "close");
            ProblemAnswers.write(response, LimitedInput.tooLarge(most));
        } else {
            chain.doFilter(new Limited(request, most), response);
        }
    }

    /** The container would read a form into parameters before any resource sees the body. */
    private static boolean isForm(HttpServletRequest request) {
        String type = request.getContentType() == null
                ? ""
                : request.getContentType().toLowerCase(Locale.ROOT).strip();
        return request.getRequestURI().startsWith("/api/")
                && (type.startsWith("application/x-www-form-urlencoded") || type.startsWith("multipart/"));
    }

    private final class Limited extends HttpServletRequestWrapper {

        private final long most;

        Limited(HttpServletRequest request, long most) {
            super(request);
            this.most = most;
        }

        @Override
        public ServletInputStream getInputStream() throws IOException {
            return new LimitedInput(
                    super.getInputStream(), most, current.get().limits().bodyTime(), time);
        }
    }
}
