package io.redrive.console;

import io.redrive.operations.Operator;
import io.redrive.operations.Role;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;

/** Takes the name and the role from the request's principal. A request without a principal is a viewer, whatever its roles. */
final class PrincipalOperators implements OperatorResolver {

    static final String ADMIN = "REDRIVE_ADMIN";
    static final String OPERATOR = "REDRIVE_OPERATOR";

    private static final String NOBODY = "anonymous";
    private static final int LONGEST = 200;

    @Override
    public Operator operatorOf(HttpServletRequest request) {
        String origin = "console, " + request.getRemoteAddr();
        Principal principal = request.getUserPrincipal();
        if (principal == null || !isName(principal.getName())) {
            return new Operator(NOBODY, Role.VIEWER, origin);
        }
        return new Operator(principal.getName(), roleOf(request), origin);
    }

    /** A name that the record of actions cannot keep must not act. */
    private static boolean isName(String name) {
        return name != null
                && !name.isBlank()
                && name.length() <= LONGEST
                && name.chars().noneMatch(Character::isISOControl);
    }

    private static Role roleOf(HttpServletRequest request) {
        if (request.isUserInRole(ADMIN)) {
            return Role.ADMIN;
        }
        return request.isUserInRole(OPERATOR) ? Role.OPERATOR : Role.VIEWER;
    }
}
