package io.redrive.console;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;

/**
 * The random text that a form and a cookie share: another site can send a form with the cookie, but cannot read the text. Holds also
 * where the application's own protection is off for the mount path; where the application has one, forms carry its token as well.
 */
final class FormToken {

    static final String FIELD = "_form";
    static final String COOKIE = "redrive_form";

    private static final String FETCH_SITE = "Sec-Fetch-Site";
    private static final String SHAPE = "[0-9a-f]{32}";

    private final String text;
    private final boolean fresh;

    private FormToken(String text, boolean fresh) {
        this.text = text;
        this.fresh = fresh;
    }

    /** Returns the token in the request's cookie, or a new one. */
    static FormToken of(HttpServletRequest request) {
        return cookie(request, COOKIE)
                .filter(value -> value.matches(SHAPE))
                .map(value -> new FormToken(value, false))
                .orElseGet(() -> new FormToken(UUID.randomUUID().toString().replace("-", ""), true));
    }

    static Optional<String> cookie(HttpServletRequest request, String name) {
        Cookie[] cookies = request.getCookies();
        return cookies == null
                ? Optional.empty()
                : Arrays.stream(cookies)
                        .filter(each -> each.getName().equals(name))
                        .map(Cookie::getValue)
                        .findFirst();
    }

    String text() {
        return text;
    }

    /** Returns true when the browser has no cookie with this token yet. */
    boolean isFresh() {
        return fresh;
    }

    /** Returns true when a form of this very console sent the request. */
    boolean isIn(HttpServletRequest request) {
        String site = request.getHeader(FETCH_SITE);
        boolean foreign = site != null && !site.equals("same-origin") && !site.equals("none");
        String sent = request.getParameter(FIELD);
        return !fresh && !foreign && sent != null && equal(sent, text);
    }

    private static boolean equal(String one, String other) {
        return MessageDigest.isEqual(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }
}
