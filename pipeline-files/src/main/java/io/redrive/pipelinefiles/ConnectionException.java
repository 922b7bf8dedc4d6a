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
 * A request got no answer, because its connection could not be made or was lost. Most of Java's own exceptions have no message here;
 * this exception names the request and the problem, and has a kind for policies and reports.
 */
final class ConnectionException extends IOException implements HasKind {

    private static final long serialVersionUID = 1L;

    private static final int MAX_DEPTH = 8;

    private final String kind;

    private ConnectionException(String kind, String message, IOException cause) {
        super(message, cause);
        this.kind = kind;
    }

    /**
     * Returns the exception for an error of the HTTP client.
     *
     * @param request names the request in messages
     */
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
            // A ConnectException without a message is a refused connection; all other problems have a message.
            return why.isEmpty() || why.get().contains("refused")
                    ? new ConnectionException("econnrefused", "connection refused" + asked, error)
                    : new ConnectionException("unreachable", "no connection: " + why.get() + asked, error);
        }
        String detail = error.getMessage() == null ? error.getClass().getSimpleName() : error.getMessage();
        return error instanceof SSLException
                ? new ConnectionException("tls", "no secure connection: " + detail + asked, error)
                : new ConnectionException("econnreset", "connection broken: " + detail + asked, error);
    }

    /** Searches the causes: the client wraps this error twice at present. */
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
