package io.redrive.cli.stages;

import io.redrive.core.HasKind;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
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
            return new ConnectionException("econnrefused", "connection refused" + asked, error);
        }
        String detail = error.getMessage() == null ? error.getClass().getSimpleName() : error.getMessage();
        return error instanceof SSLException
                ? new ConnectionException("tls", "no secure connection: " + detail + asked, error)
                : new ConnectionException("econnreset", "connection broken: " + detail + asked, error);
    }

    /** Two levels down at present. */
    private static boolean isUnresolved(IOException error) {
        Throwable at = error;
        for (int depth = 0; at != null && depth < MAX_DEPTH; depth++) {
            if (at instanceof UnresolvedAddressException || at instanceof UnknownHostException) {
                return true;
            }
            at = at.getCause();
        }
        return false;
    }

    @Override
    public String kind() {
        return kind;
    }
}
