package io.redrive.pipelinefiles;

import io.redrive.core.HasKind;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/**
 * There was no answer, because the connection was not made or did not last. Java tells most of these without a message;
 * this one says what happened and to which request, and has a kind that policies and reports can name.
 */
final class ConnectionException extends IOException implements HasKind {

    private static final long serialVersionUID = 1L;

    private static final int MAX_DEPTH = 8;

    private final String kind;

    private ConnectionException(String kind, String message, IOException cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** What {@code error} means for a request to {@code host}; {@code request} is how it is shown. */
    static ConnectionException of(IOException error, String host, String request) {
        String asked = " (" + request + ")";
        if (error instanceof HttpConnectTimeoutException) {
            return new ConnectionException("connect_timeout", "no connection in time" + asked, error);
        }
        if (isUnresolved(error)) {
            return new ConnectionException("unknown_host", "host '" + host + "' is not known" + asked, error);
        }
        if (error instanceof ConnectException) {
            Optional<String> why = messages(error).findFirst();
            // Java often has no words for a refusal, but has some for all else.
            return why.isEmpty() || why.get().contains("refused")
                    ? new ConnectionException("econnrefused", "connection refused" + asked, error)
                    : new ConnectionException("unreachable", "no connection: " + why.get() + asked, error);
        }
        String detail = error.getMessage() == null ? error.getClass().getSimpleName() : error.getMessage();
        return error instanceof SSLException
                ? new ConnectionException("tls", "no secure connection: " + detail + asked, error)
                : new ConnectionException("econnreset", "connection broken: " + detail + asked, error);
    }

    /** Two levels down at present. */
    private static boolean isUnresolved(IOException error) {
        return chain(error)
                .anyMatch(at -> at instanceof UnresolvedAddressException || at instanceof UnknownHostException);
    }

    private static Stream<String> messages(IOException error) {
        return chain(error).map(Throwable::getMessage).filter(Objects::nonNull);
    }

    private static Stream<Throwable> chain(IOException error) {
        return Stream.<Throwable>iterate(error, Objects::nonNull, Throwable::getCause)
                .limit(MAX_DEPTH);
    }

    @Override
    public String kind() {
        return kind;
    }
}
