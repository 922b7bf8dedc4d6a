package io.redrive.server.webhook.http;

import io.redrive.core.Time;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHost;

/**
 * Exchanges over HTTP/1.1 without TLS. The calling thread, which has to wait for the answer anyway, writes the request and reads the
 * answer: handing each request to a thread of the client and back costs more than the exchange itself.
 *
 * <p>A blocked read or write knows no time limit of the whole exchange. So each exchange sets an alarm, and one thread closes the
 * connections whose alarm goes off. An interrupt closes the connection of the interrupted thread.
 */
final class PlainExchanger implements Exchanger {

    private static final Duration EVICT_EVERY = Duration.ofSeconds(10);
    private static final int HTTP_PORT = 80;

    private final Time time;
    private final IdleConnections idle = new IdleConnections();
    private final ScheduledThreadPoolExecutor alarms = new ScheduledThreadPoolExecutor(1, PlainExchanger::thread);
    private volatile boolean closed;

    PlainExchanger(Time time) {
        this.time = time;
        alarms.setRemoveOnCancelPolicy(true);
        alarms.scheduleWithFixedDelay(
                () -> idle.evict(time.nanos()), EVICT_EVERY.toMillis(), EVICT_EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "redrive-webhook-alarms");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public Answer exchange(OutgoingRequest request, HttpHost target, long deadline)
            throws IOException, HttpException, TimeoutException, InterruptedException {
        if (closed) {
            throw new IOException("the client of webhooks is closed");
        }
        PlainConnection connection = connection(target);
        try {
            return exchange(connection, request, target, deadline);
        } catch (IOException | HttpException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException("the request was given up");
            }
            if (connection.isExpired()) {
                TimeoutException expired = new TimeoutException();
                expired.initCause(e);
                throw expired;
            }
            throw e;
        } finally {
            if (connection.isReusable()) {
                connection.rest(time.nanos());
                idle.keep(target, connection);
            } else {
                connection.close();
            }
        }
    }

    private Answer exchange(PlainConnection connection, OutgoingRequest request, HttpHost target, long deadline)
            throws IOException, HttpException {
        Future<?> alarm = alarm(connection, deadline - time.nanos());
        try {
            if (!connection.isConnected()) {
                int port = target.getPort() < 0 ? HTTP_PORT : target.getPort();
                connection.connect(new InetSocketAddress(target.getAddress(), port));
            }
            connection.send(request, target);
            connection.receiveHead();
        } finally {
            stop(alarm, connection);
        }
        if (connection.hasBody()) {
            long left = Math.min(deadline - time.nanos(), ExchangeLimits.BODY_GRACE.toNanos());
            Future<?> end = alarm(connection, left);
            connection.receiveBody();
            stop(end, connection);
        }
        return connection.answer();
    }

    private Future<?> alarm(PlainConnection connection, long nanos) {
        return alarms.schedule(connection::expire, Math.max(0, nanos), TimeUnit.NANOSECONDS);
    }

    /** An alarm that cannot be stopped has closed the connection, or is about to. */
    private static void stop(Future<?> alarm, PlainConnection connection) {
        if (!alarm.cancel(false)) {
            connection.markExpired();
        }
    }

    /** Returns a kept connection to the target, or a connection that is yet to be made. */
    private PlainConnection connection(HttpHost target) {
        PlainConnection kept = idle.take(target);
        while (kept != null && !kept.isUsable(time.nanos())) {
            kept.close();
            kept = idle.take(target);
        }
        return kept == null ? new PlainConnection() : kept;
    }

    @Override
    public void close() {
        closed = true;
        // Alarms that are set still go off: a request in flight keeps its time limit.
        alarms.shutdown();
        idle.close();
    }
}
