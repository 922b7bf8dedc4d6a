package io.redrive.console;

import org.springframework.http.HttpStatus;

/** A request that the console answers with an error page. */
final class Refusal extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final HttpStatus status;
    private final String next;
    private String link = "/";
    private String label = "To the overview";

    private Refusal(HttpStatus status, String message, String next) {
        super(message);
        this.status = status;
        this.next = next;
    }

    static Refusal missing(String what, String next) {
        return new Refusal(HttpStatus.NOT_FOUND, what, next);
    }

    static Refusal wrong(String what, String next) {
        return new Refusal(HttpStatus.BAD_REQUEST, what, next);
    }

    static Refusal forbidden(String what, String next) {
        return new Refusal(HttpStatus.FORBIDDEN, what, next);
    }

    /** Returns this refusal with the page for the next step. */
    Refusal leadingTo(String path, String words) {
        link = path;
        label = words;
        return this;
    }

    HttpStatus status() {
        return status;
    }

    /** Returns the next step for the operator. */
    String next() {
        return next;
    }

    /** Returns the path of the page for the next step. */
    String link() {
        return link;
    }

    /** Returns the words of the link to that page. */
    String label() {
        return label;
    }
}
