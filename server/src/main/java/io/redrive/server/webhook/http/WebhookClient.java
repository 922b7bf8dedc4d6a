package io.redrive.server.webhook.http;

import io.redrive.core.AttemptTimeoutException;
import io.redrive.core.Time;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NoRouteToHostException;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHost;

/**
 * Sends requests to destinations. Each request looks its host up once, checks every address, and connects to a checked address:
 * no name is looked up a second time, so that no second answer of a name server is ever used. Host header and TLS name stay those
 * of the URL. Connections are kept and used again; HTTP/2 is used where TLS offers it. A request without TLS and proxy is written
 * and read by the calling thread ({@link PlainExchanger}). Redirects are not followed; cookies, compression and retries are off.
 * Thread-safe.
 */
public final class WebhookClient implements AutoCloseable {

    private final HostAddresses addresses;
    private final Optional<HttpHost> proxy;
    private final Time time;
    private final Exchanger plain;
    private final Exchanger negotiated;

    /**
     * Starts a client.
     *
     * @param guard the addresses that may be reached
     * @param names finds the addresses of hosts
     * @param proxy the forward proxy that all requests go through; empty for none. Behind a proxy, the proxy looks hosts up
     * @param tls the TLS settings; empty for those of the JVM
     */
    public WebhookClient(
            AddressGuard guard,
            AddressGuard.NameLookup names,
            Optional<URI> proxy,
            Optional<SSLContext> tls,
            Time time) {
        this.addresses = new HostAddresses(guard, names);
        this.proxy = proxy.map(uri -> new HttpHost(uri.getScheme(), uri.getHost(), portOf(uri)));
        this.time = time;
        plain = new PlainExchanger(time);
        negotiated = new NegotiatedExchanger(this.proxy, tls, time);
    }

    /**
     * Sends a request and waits for the answer, within the limit of the request.
     *
     * @throws InterruptedException if the thread is interrupted; the request is given up
     */
    public SendResult send(OutgoingRequest request) throws InterruptedException {
        String host = request.url().getHost();
        InetAddress[] found;
        try {
            found = proxy.isPresent() ? literalOnly(host) : addresses.find(plain(host));
        } catch (UnknownHostException e) {
            return addresses.isNameServiceDown(plain(host))
                    ? new SendResult.NotSent("the name service finds no host, not even hosts that it found before")
                    : new SendResult.NotAnswered(new UnknownHostException("host '" + host + "' has no address"));
        } catch (ForbiddenAddressException e) {
            return new SendResult.NotAnswered(e);
        }
        long deadline = time.nanos() + request.limit().toNanos();
        SendResult last = exchange(request, target(request.url(), found, 0), deadline);
        // The next address of a host that refuses connections, as browsers do.
        for (int i = 1; i < found.length && isRefusal(last) && time.nanos() < deadline; i++) {
            last = exchange(request, target(request.url(), found, i), deadline);
        }
        return last;
    }

    /** Behind a proxy, only an address written into the URL can be checked here. */
    private InetAddress[] literalOnly(String host) throws UnknownHostException, ForbiddenAddressException {
        boolean literal = host.startsWith("[") || host.matches("[0-9.]+|0[xX][0-9a-fA-F.xX]+");
        if (literal) {
            addresses.find(plain(host));
        }
        return new InetAddress[0];
    }

    private SendResult exchange(OutgoingRequest request, HttpHost target, long deadline) throws InterruptedException {
        Exchanger exchanger = proxy.isEmpty() && target.getSchemeName().equals("http") ? plain : negotiated;
        try {
            return new SendResult.Answered(exchanger.exchange(request, target, deadline));
        } catch (TimeoutException e) {
            return new SendResult.NotAnswered(new AttemptTimeoutException(request.limit()));
        } catch (IOException | HttpException e) {
            return failure(e);
        }
    }

    private SendResult failure(Exception cause) {
        if (proxy.isPresent() && (isRefusal(cause) || cause instanceof UnknownHostException)) {
            return new SendResult.NotSent("the proxy " + proxy.get() + " cannot be reached: " + cause.getMessage());
        }
        String message = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
        if (message.contains("network is unreachable") || message.contains("network is down")) {
            return new SendResult.NotSent("the network is unreachable");
        }
        return new SendResult.NotAnswered(cause);
    }

    private static boolean isRefusal(SendResult result) {
        return result instanceof SendResult.NotAnswered failed && isRefusal(failed.cause());
    }

    private static boolean isRefusal(Throwable cause) {
        return cause instanceof ConnectException || cause instanceof NoRouteToHostException;
    }

    private static HttpHost target(URI url, InetAddress[] addresses, int index) {
        String name = plain(url.getHost());
        return addresses.length == 0
                ? new HttpHost(url.getScheme(), name, url.getPort())
                : new HttpHost(url.getScheme(), addresses[index], name, url.getPort());
    }

    private static String plain(String host) {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    private static int portOf(URI url) {
        if (url.getPort() >= 0) {
            return url.getPort();
        }
        return url.getScheme().equals("https") ? 443 : 80;
    }

    @Override
    public void close() {
        plain.close();
        negotiated.close();
    }
}
