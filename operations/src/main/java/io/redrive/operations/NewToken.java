package io.redrive.operations;

/**
 * A token that was just made.
 *
 * @param token the token as the store keeps it
 * @param text the text that a caller sends; nobody can read it later
 */
public record NewToken(AccessToken token, String text) {

    /** Never the text: tokens end up in logs. */
    @Override
    public String toString() {
        return "token " + token.prefix() + " of " + token.name();
    }
}
