package io.redrive.server.access;

import io.redrive.operations.AccessToken;
import io.redrive.operations.AccessTokens;
import io.redrive.operations.Operator;
import io.redrive.operations.Role;
import io.redrive.server.config.CurrentProperties;
import io.redrive.server.config.ServerProperties;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Finds the {@link Caller} of a request. Wrong credentials are always refused. Without credentials, the caller is the person who logged
 * in with a provider; a server that requires no auth takes the caller for an admin, because only programs on the same machine can
 * connect then.
 */
final class CallerFilter extends OncePerRequestFilter {

    private static final Log LOG = LogFactory.getLog(CallerFilter.class);
    private static final List<String> OPEN = List.of("/health/live", "/health/ready", "/api/v1/openapi.yaml");
    /** Callers of webhooks sign their requests. */
    private static final String SIGNED = "/in/";

    private final CurrentProperties current;
    private final AccessTokens tokens;
    private final ProviderCallers provider;
    private final Optional<ProviderLogin> login;
    private final PasswordCheck passwords = new PasswordCheck();
    private final LoginGuard guard;

    CallerFilter(CurrentProperties current, AccessTokens tokens, Optional<ProviderLogin> login, LoginGuard guard) {
        this.current = current;
        this.tokens = tokens;
        this.login = login;
        this.guard = guard;
        provider = new ProviderCallers(current);
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
        try {
            Optional<Caller> caller = credentials instanceof Credentials.None
                    ? withoutCredentials(request, response)
                    : withCredentials(credentials, request, response);
            if (caller.isPresent()) {
                request.setAttribute(Caller.ATTRIBUTE, caller.get());
                goOn(caller.get(), () -> chain.doFilter(request, response));
            }
        } catch (JwtException e) {
            LOG.error("The provider of tokens cannot be asked: " + e.getMessage());
            AccessRefusal.providerIsAway(response);
        }
    }

    /** Returns the caller; after a refusal, empty. */
    private Optional<Caller> withCredentials(
            Credentials credentials, HttpServletRequest request, HttpServletResponse response) throws IOException {
        String name = credentials instanceof Credentials.Password password ? password.name() : "";
        int limit = current.get().limits().loginAttempts();
        String address = request.getRemoteAddr();
        if (guard.isBlocked(address, name, limit)) {
            AccessRefusal.tooManyAttempts(response);
            return Optional.empty();
        }
        Optional<Caller> caller = caller(credentials, "http " + address);
        if (caller.isEmpty()) {
            guard.failed(address, name, limit);
            AccessRefusal.credentials(response, true);
        }
        return caller;
    }

    /** Returns the caller; after a refusal, or on the way to the login, empty. */
    private Optional<Caller> withoutCredentials(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        String origin = "http " + request.getRemoteAddr();
        Optional<OidcUser> person = login.isPresent() ? ProviderLogin.person() : Optional.empty();
        if (person.isPresent()) {
            Optional<Caller> caller = provider.caller(person.get().getClaims(), Optional.<Instant>empty(), origin);
            ProviderLogin.mark(request);
            if (caller.isEmpty()) {
                AccessRefusal.noRole(response);
            }
            return caller;
        }
        if (!current.get().auth().isRequired()) {
            return Optional.of(new Caller(new Operator("local", Role.ADMIN, origin), Optional.empty()));
        }
        if (login.isPresent() && ProviderLogin.isPage(request)) {
            login.get().begin(request, response);
        } else if (login.isPresent() && ProviderLogin.isForm(request)) {
            AccessRefusal.sessionEnded(response, login.get().home());
        } else {
            AccessRefusal.credentials(response, false);
        }
        return Optional.empty();
    }

    private interface Rest {
        void run() throws ServletException, IOException;
    }

    /** Runs the rest of the request in the name of the caller; no session keeps the name. */
    private static void goOn(Caller caller, Rest rest) throws ServletException, IOException {
        SecurityContext before = SecurityContextHolder.getContext();
        SecurityContext context = SecurityContextHolder.createEmptyContext();
        context.setAuthentication(UsernamePasswordAuthenticationToken.authenticated(
                caller,
                "",
                AuthorityUtils.createAuthorityList(
                        "ROLE_" + caller.operator().role().name())));
        SecurityContextHolder.setContext(context);
        try {
            rest.run();
        } finally {
            SecurityContextHolder.setContext(before);
        }
    }

    private Optional<Caller> caller(Credentials credentials, String origin) {
        ServerProperties.Auth auth = current.get().auth();
        if (credentials instanceof Credentials.Bearer bearer) {
            return provider.mayKnow(bearer.text())
                    ? provider.bearer(bearer.text(), origin)
                    : tokens.find(bearer.text()).map(token -> of(token, origin));
        }
        return credentials instanceof Credentials.Password given
                ? passwords
                        .find(auth, given.name(), given.password())
                        .map(user -> new Caller(new Operator(given.name(), user.role(), origin), Optional.empty()))
                : Optional.empty();
    }

    private static Caller of(AccessToken token, String origin) {
        return new Caller(
                new Operator(token.name(), token.role(), origin + " token " + token.prefix()), Optional.of(token));
    }
}
