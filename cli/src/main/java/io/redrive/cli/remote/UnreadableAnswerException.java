package io.redrive.cli.remote;

/** The answer of a server has not the form of the API: the server is no Redrive server, or another version. */
public final class UnreadableAnswerException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnreadableAnswerException(String message) {
        super(told(message));
    }

    UnreadableAnswerException(String message, Throwable cause) {
        super(told(message), cause);
    }

    private static String told(String mistake) {
        return "the answer of the server cannot be read: " + mistake
                + "; is it a Redrive server, and of this version? See: redrive status";
    }
}
