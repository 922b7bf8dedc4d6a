package io.redrive.server.access;

import io.redrive.server.problem.Problem;
import io.redrive.server.problem.ProblemAnswers;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.util.HtmlUtils;

/** The answers to callers that are not let in. */
final class AccessRefusal {

    private AccessRefusal() {}

    /** Tells a person whose session with the provider has ended, and who sent a form of the console, what to do. */
    static void sessionEnded(HttpServletResponse response, String home) throws IOException {
        response.setStatus(HttpStatus.UNAUTHORIZED.value());
        response.addHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer realm=\"redrive\"");
        response.setContentType("text/html;charset=UTF-8");
        response.getWriter()
                .write("<!DOCTYPE html><html lang=\"en\"><title>Signed out · Redrive</title><h1>You are signed out</h1>"
                        + "<p>Your session has ended, and the command was not carried out: nothing was changed.</p>"
                        + "<p>Go back to copy what you typed, or <a href=\"" + HtmlUtils.htmlEscape(home)
                        + "\">sign in again</a> and repeat the command.</p></html>");
    }

    static void credentials(HttpServletResponse response, boolean given) throws IOException {
        response.addHeader(HttpHeaders.WWW_AUTHENTICATE, "Basic realm=\"redrive\", charset=\"UTF-8\"");
        response.addHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer realm=\"redrive\"");
        String detail = given
                ? "the token is unknown, revoked or expired, or the name or the password is wrong"
                : "send a token (Authorization: Bearer …) or a name and a password (Authorization: Basic …)";
        ProblemAnswers.write(response, Problem.of(HttpStatus.UNAUTHORIZED, "credentials", detail));
    }

    static void tooManyAttempts(HttpServletResponse response) throws IOException {
        response.setHeader(HttpHeaders.RETRY_AFTER, String.valueOf(LoginGuard.WINDOW.toSeconds()));
        ProblemAnswers.write(
                response,
                Problem.of(
                        HttpStatus.TOO_MANY_REQUESTS,
                        "login-attempts",
                        "too many wrong passwords or tokens; try again in five minutes"));
    }

    static void noRole(HttpServletResponse response) throws IOException {
        ProblemAnswers.write(
                response,
                Problem.of(
                        HttpStatus.FORBIDDEN,
                        "no-role",
                        "the account is known, but auth.oidc.roles maps none of its roles to a role of this server"));
    }

    static void loginFailed(HttpServletResponse response) throws IOException {
        ProblemAnswers.write(
                response,
                Problem.of(
                        HttpStatus.UNAUTHORIZED,
                        "login",
                        "the login with the provider failed or was not begun here; open the console again"));
    }

    static void providerIsAway(HttpServletResponse response) throws IOException {
        response.setHeader(HttpHeaders.RETRY_AFTER, "5");
        ProblemAnswers.write(
                response,
                Problem.of(
                        HttpStatus.SERVICE_UNAVAILABLE,
                        "provider",
                        "the provider that made the token cannot be asked at the moment; try again later"));
    }
}
