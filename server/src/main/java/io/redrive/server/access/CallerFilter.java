package io.redrive.server.access;

import io.redrive.operations.AccessToken;
import io.redrive.operations.AccessTokens;
import io.redrive.operations.Operator;
import io.redrive.operations.Role;
import io.redrive.server.config.CurrentProperties;
import io.redrive.server.config.ServerProperties;
import io.redrive.server.problem.Problem;
import io.redrive.server.problem.ProblemAnswers;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Finds the {@link Caller} of a request. Wrong credentials are always refused; without credentials, a server that requires no auth
 * takes the caller for an admin, because only programs on the same machine can connect then.
 */
final class CallerFilter extends OncePerRequestFilter {

    private static final List<String> OPEN = List.of("/health/live", "/health/ready", "/api/v1/openapi.yaml");
    /** Callers of webhooks sign their requests. */
    private static final String SIGNED = "/in/";

    private final CurrentProperties current;
    private final AccessTokens tokens;
    private final PasswordCheck passwords = new PasswordCheck();
    private final LoginGuard guard;

    CallerFilter(CurrentProperties current, AccessTokens tokens, LoginGuard guard) {
        this.current = current;
        this.tokens = tokens;
        this.guard = guard;
    }

    static boolean isOpen(HttpServletRequest request) {
        String path = request.getRequestURI();
        return OPEN.contains(path) || path.startsWith(SIGNED);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (isOpen(request)) {
            chain.doFilter(request, response);
            return;
        }
        Credentials credentials = Credentials.of(request.getHeader(HttpHeaders.AUTHORIZATION));
        String name = credentials instanceof Credentials.Password password ? password.name() : "";
        int limit = current.get().limits().loginAttempts();
        String address = request.getRemoteAddr();
        if (!(credentials instanceof Credentials.None) && guard.isBlocked(address, name, limit)) {
            response.setHeader(HttpHeaders.RETRY_AFTER, String.valueOf(LoginGuard.WINDOW.toSeconds()));
            ProblemAnswers.write(
                    response,
                    Problem.of(
                            HttpStatus.TOO_MANY_REQUESTS,
                            "login-attempts",
                            "too many wrong passwords or tokens; try again in five minutes"));
            return;
        }
        Optional<Caller> caller = caller(credentials, "http " + address);
        if (caller.isEmpty()) {
            if (!(credentials instanceof Credentials.None)) {
                guard.failed(address, name, limit);
            }
            refuse(response, credentials);
            return;
        }
        request.setAttribute(Caller.ATTRIBUTE, caller.get());
        SecurityContext context = SecurityContextHolder.createEmptyContext();
        context.setAuthentication(UsernamePasswordAuthenticationToken.authenticated(
                caller.get(),
                "",
                AuthorityUtils.createAuthorityList(
                        "ROLE_" + caller.get().operator().role().name())));
        SecurityContextHolder.setContext(context);
        try {
            chain.doFilter(request, response);
        } finally {
            SecurityContextHolder.clearContext();
        }
    }

    private static void refuse(HttpServletResponse response, Credentials credentials) throws IOException {
        response.addHeader(HttpHeaders.WWW_AUTHENTICATE, "Basic realm=\"redrive\", charset=\"UTF-8\"");
        response.addHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer realm=\"redrive\"");
        String detail = credentials instanceof Credentials.None
                ? "send a token (Authorization: Bearer …) or a name and a password (Authorization: Basic …)"
                : "the token is unknown, revoked or expired, or the name or the password is wrong";
        ProblemAnswers.write(response, Problem.of(HttpStatus.UNAUTHORIZED, "credentials", detail));
    }

    private Optional<Caller> caller(Credentials credentials, String origin) {
        ServerProperties.Auth auth = current.get().auth();
        if (credentials instanceof Credentials.Bearer bearer) {
            return tokens.find(bearer.text()).map(token -> of(token, origin));
        }
        if (credentials instanceof Credentials.Password given) {
            return passwords
                    .find(auth, given.name(), given.password())
                    .map(user -> new Caller(new Operator(given.name(), user.role(), origin), Optional.empty()));
        }
        return credentials instanceof Credentials.None && !auth.isRequired()
                ? Optional.of(new Caller(new Operator("local", Role.ADMIN, origin), Optional.empty()))
                : Optional.empty();
    }

    private static Caller of(AccessToken token, String origin) {
        return new Caller(
                new Operator(token.name(), token.role(), origin + " token " + token.prefix()), Optional.of(token));
    }
}
