package io.redrive.server.access;

import io.redrive.server.config.ServerProperties;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.springframework.http.HttpHeaders;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.registration.ClientRegistrations;
import org.springframework.security.oauth2.client.registration.InMemoryClientRegistrationRepository;
import org.springframework.security.oauth2.client.registration.SupplierClientRegistrationRepository;
import org.springframework.security.oauth2.client.web.DefaultOAuth2AuthorizationRequestResolver;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestCustomizers;
import org.springframework.security.oauth2.core.oidc.user.DefaultOidcUser;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.web.util.HtmlUtils;
import org.springframework.web.util.UriComponentsBuilder;

/**
 * The login of people with the configured OpenID Connect provider: authorization code with state, nonce and PKCE, which Spring Security
 * checks. A session begins with the login; its cookie is for this site only, and never readable by a page.
 */
final class ProviderLogin {

    private static final String REGISTRATION = "redrive";
    private static final String BEGIN =
            DefaultOAuth2AuthorizationRequestResolver.DEFAULT_AUTHORIZATION_REQUEST_BASE_URI;
    private static final String CALLBACK = "/login/oauth2/code/" + REGISTRATION;
    private static final String LOGOUT = "/logout";
    private static final String WANTED = ProviderLogin.class.getName();
    private static final Duration SESSION = Duration.ofHours(8);

    private final ServerProperties.Oidc oidc;
    private final String home;

    private ProviderLogin(ServerProperties.Oidc oidc, String home) {
        this.oidc = oidc;
        this.home = home;
    }

    /**
     * Returns the login; empty when none is configured.
     *
     * @param home the path that a person sees after a login without another aim
     */
    static Optional<ProviderLogin> of(ServerProperties.Oidc oidc, String home) {
        return oidc.clientId() == null ? Optional.empty() : Optional.of(new ProviderLogin(oidc, home));
    }

    void configure(HttpSecurity http) throws Exception {
        // Asks the provider for its addresses, hence at the first login and not at the start of the server.
        ClientRegistrationRepository registrations = new SupplierClientRegistrationRepository(
                () -> new InMemoryClientRegistrationRepository(registration()));
        DefaultOAuth2AuthorizationRequestResolver requests =
                new DefaultOAuth2AuthorizationRequestResolver(registrations, BEGIN);
        requests.setAuthorizationRequestCustomizer(OAuth2AuthorizationRequestCustomizers.withPkce());
        http.sessionManagement(session -> session.sessionCreationPolicy(SessionCreationPolicy.IF_REQUIRED))
                .oauth2Login(login -> login.clientRegistrationRepository(registrations)
                        .authorizationEndpoint(begin -> begin.authorizationRequestResolver(requests))
                        .userInfoEndpoint(user ->
                                user.oidcUserService(request -> new DefaultOidcUser(List.of(), request.getIdToken())))
                        .successHandler(this::succeeded)
                        .failureHandler((request, response, failure) -> AccessRefusal.loginFailed(response)))
                .logout(logout -> logout.logoutRequestMatcher(ProviderLogin::isLogout)
                        .logoutSuccessHandler((request, response, person) -> signedOut(registrations, response)));
    }

    /** A link or a picture of another site must end no session: only a form does. */
    private static boolean isLogout(HttpServletRequest request) {
        return request.getMethod().equals("POST") && request.getRequestURI().equals(LOGOUT);
    }

    /**
     * Answers with a page. A redirect to the provider would be refused by the browser, because forms of the console may lead to this
     * server alone; so the page has a link.
     */
    private void signedOut(ClientRegistrationRepository registrations, HttpServletResponse response)
            throws IOException {
        Object end = Objects.requireNonNull(registrations.findByRegistrationId(REGISTRATION))
                .getProviderDetails()
                .getConfigurationMetadata()
                .get("end_session_endpoint");
        String provider = end == null
                ? ""
                : "<p>Your session with the provider goes on. <a href=\""
                        + HtmlUtils.htmlEscape(UriComponentsBuilder.fromUriString(end.toString())
                                .queryParam("client_id", "{client}")
                                .encode()
                                .buildAndExpand(oidc.clientId())
                                .toUriString())
                        + "\">Sign out there, too</a></p>";
        response.setContentType("text/html;charset=UTF-8");
        response.getWriter()
                .write("<!DOCTYPE html><html lang=\"en\"><title>Signed out · Redrive</title><h1>You are signed out</h1>"
                        + provider + "<p><a href=\"" + HtmlUtils.htmlEscape(home) + "\">Sign in again</a></p></html>");
    }

    /** Returns the path that ends the session of this request; empty for a caller without a session. */
    static Optional<String> logoutPath(HttpServletRequest request) {
        return request.getAttribute(LOGOUT) == null ? Optional.empty() : Optional.of(LOGOUT);
    }

    /** Marks a request whose caller is the person of a session. */
    static void mark(HttpServletRequest request) {
        request.setAttribute(LOGOUT, Boolean.TRUE);
    }

    private ClientRegistration registration() {
        String url = oidc.url();
        return ClientRegistrations.fromIssuerLocation(Objects.requireNonNull(oidc.issuer()))
                .registrationId(REGISTRATION)
                .clientId(Objects.requireNonNull(oidc.clientId()))
                .clientSecret(Objects.requireNonNull(oidc.clientSecret()))
                .scope("openid", "profile", "email")
                .redirectUri((url == null ? "{baseUrl}" : url.replaceFirst("/$", "")) + CALLBACK)
                .build();
    }

    /** The path was remembered from a request to this server, so it leads nowhere else. */
    private void succeeded(HttpServletRequest request, HttpServletResponse response, Authentication person)
            throws IOException {
        HttpSession session = request.getSession();
        session.setMaxInactiveInterval((int) SESSION.toSeconds());
        Object wanted = session.getAttribute(WANTED);
        session.removeAttribute(WANTED);
        response.sendRedirect(wanted instanceof String path ? path : home);
    }

    /** Returns true for a page that a person opens. */
    static boolean isPage(HttpServletRequest request) {
        return request.getMethod().equals("GET") && isForPerson(request);
    }

    /** Returns true for a form that a person sends. */
    static boolean isForm(HttpServletRequest request) {
        return request.getMethod().equals("POST") && isForPerson(request);
    }

    private static boolean isForPerson(HttpServletRequest request) {
        String accept = request.getHeader(HttpHeaders.ACCEPT);
        return accept != null
                && accept.contains("text/html")
                && !request.getRequestURI().startsWith("/api/")
                && !request.getRequestURI().startsWith("//");
    }

    /** Returns the path of the console. */
    String home() {
        return home;
    }

    /** Sends a browser to the provider, and remembers the page. */
    void begin(HttpServletRequest request, HttpServletResponse response) throws IOException {
        request.getSession().setAttribute(WANTED, request.getRequestURI());
        response.sendRedirect(BEGIN + "/" + REGISTRATION);
    }

    /** Returns the person of the session of this request. */
    static Optional<OidcUser> person() {
        Authentication found = SecurityContextHolder.getContext().getAuthentication();
        return found != null && found.isAuthenticated() && found.getPrincipal() instanceof OidcUser user
                ? Optional.of(user)
                : Optional.empty();
    }
}
