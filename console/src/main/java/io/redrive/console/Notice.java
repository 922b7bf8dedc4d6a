package io.redrive.console;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/** A sentence about the last command, in a cookie until the next page shows it. An address cannot carry a notice: links must not lie. */
final class Notice {

    static final String COOKIE = "redrive_notice";

    private static final int LONGEST = 1_000;
    private static final int SECONDS = 60;

    private Notice() {}

    static Optional<String> in(HttpServletRequest request) {
        return FormToken.cookie(request, COOKIE).filter(text -> !text.isEmpty()).flatMap(Notice::decoded);
    }

    private static Optional<String> decoded(String text) {
        try {
            return Optional.of(new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    static Cookie cookie(String sentence, String path) {
        byte[] text = Format.brief(sentence, LONGEST).getBytes(StandardCharsets.UTF_8);
        return cookie(COOKIE, Base64.getUrlEncoder().withoutPadding().encodeToString(text), path, SECONDS);
    }

    static Cookie removed(String path) {
        return cookie(COOKIE, "", path, 0);
    }

    static Cookie cookie(String name, String value, String path, int seconds) {
        Cookie cookie = new Cookie(name, value);
        cookie.setPath(path);
        cookie.setHttpOnly(true);
        cookie.setMaxAge(seconds);
        cookie.setAttribute("SameSite", "Strict");
        return cookie;
    }
}
