package io.redrive.server.webhook.http;

import java.io.IOException;
import java.util.concurrent.TimeoutException;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHost;

/** Sends one request over a connection of its own choice and waits for the answer. Thread-safe. */
interface Exchanger extends AutoCloseable {

    /**
     * Sends a request to a target whose address was checked.
     *
     * @param deadline the end of the time limit, in nanoseconds of the client's time
     * @throws TimeoutException if the head of the answer did not come before the deadline
     * @throws HttpException if the answer is not HTTP
     * @throws IOException if the connection failed before the head of the answer
     * @throws InterruptedException if the thread was interrupted; the request is given up
     */
    Answer exchange(OutgoingRequest request, HttpHost target, long deadline)
            throws IOException, HttpException, TimeoutException, InterruptedException;

    @Override
    void close();
}
