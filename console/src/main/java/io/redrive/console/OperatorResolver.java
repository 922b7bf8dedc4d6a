package io.redrive.console;

import io.redrive.operations.Operator;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/**
 * Tells which operator a request acts for. Replace the resolver with a bean of your own to take names and roles from elsewhere:
 *
 * <pre>{@code
 * @Bean
 * OperatorResolver operators(Staff staff) {
 *     return request -> staff.operatorOf(request.getUserPrincipal());
 * }
 * }</pre>
 *
 * <p>Without such a bean the name is the name of the request's principal, and the role follows from the authorities {@code
 * ROLE_REDRIVE_ADMIN} and {@code ROLE_REDRIVE_OPERATOR}; every other request is a viewer. The console asks once for each request, on
 * the thread of the request.
 */
@FunctionalInterface
public interface OperatorResolver {

    /** Returns the operator of this request. */
    Operator operatorOf(HttpServletRequest request);

    /**
     * Returns the path, within the application, to which a form is posted that ends the session of this request; each page then has a
     * button for it. Empty by default: the application has a page of its own for that, or no sessions.
     */
    default Optional<String> signOutPath(HttpServletRequest request) {
        return Optional.empty();
    }
}
