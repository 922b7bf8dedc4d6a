package io.redrive.server.access;

import io.redrive.server.config.CurrentProperties;
import io.redrive.server.problem.Problem;
import io.redrive.server.problem.ProblemAnswers;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses requests that a page of another site makes a browser send. Browsers name the site of a request in {@code Sec-Fetch-Site} and
 * {@code Origin}; other programs send neither. While no auth is required, a request must also name this machine as its host: a page
 * may point the name of its own site at 127.0.0.1.
 */
final class CrossOriginFilter extends OncePerRequestFilter {

    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");
    private static final Set<String> LOCAL = Set.of("localhost", "127.0.0.1", "[::1]", "::1");

    private final CurrentProperties current;

    CrossOriginFilter(CurrentProperties current) {
        this.current = current;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        boolean open = !current.get().auth().isRequired();
        if (open && !CallerFilter.isOpen(request) && !isLocal(request.getServerName())) {
            refuse(
                    response,
                    "the header Host must be localhost or 127.0.0.1 while no auth is required; configure auth to use"
                            + " another name");
        } else if (!READING.contains(request.getMethod()) && isFromElsewhere(request)) {
            refuse(response, "a page of another site must not send this request");
        } else {
            chain.doFilter(request, response);
        }
    }

    private boolean isLocal(String host) {
        return LOCAL.contains(host) || host.equals(current.get().http().address());
    }

    private static boolean isFromElsewhere(HttpServletRequest request) {
        String site = request.getHeader("Sec-Fetch-Site");
        if (site != null) {
            return !site.equals("same-origin") && !site.equals("none");
        }
        String origin = request.getHeader(HttpHeaders.ORIGIN);
        return origin != null && !origin.equals(ownOrigin(origin, request.getHeader(HttpHeaders.HOST)));
    }

    private static String ownOrigin(String origin, @Nullable String host) {
        try {
            return URI.create(origin).getScheme() + "://" + host;
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    private static void refuse(HttpServletResponse response, String detail) throws IOException {
        ProblemAnswers.write(response, Problem.of(HttpStatus.FORBIDDEN, "cross-origin", detail));
    }
}
