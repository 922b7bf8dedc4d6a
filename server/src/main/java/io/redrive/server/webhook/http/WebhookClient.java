package io.redrive.server.webhook.http;

import io.redrive.core.AttemptTimeoutException;
import io.redrive.core.Time;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NoRouteToHostException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.apache.hc.client5.http.impl.async.HttpAsyncClientBuilder;
import org.apache.hc.client5.http.impl.nio.PoolingAsyncClientConnectionManagerBuilder;
import org.apache.hc.client5.http.nio.AsyncClientConnectionManager;
import org.apache.hc.client5.http.ssl.ClientTlsStrategyBuilder;
import org.apache.hc.client5.http.ssl.HostnameVerificationPolicy;
import org.apache.hc.client5.http.ssl.HttpsSupport;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.Method;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.message.BasicHttpRequest;
import org.apache.hc.core5.http.nio.AsyncRequestProducer;
import org.apache.hc.core5.http.nio.entity.BasicAsyncEntityProducer;
import org.apache.hc.core5.http.nio.support.BasicRequestProducer;
import org.apache.hc.core5.http2.HttpVersionPolicy;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.pool.PoolConcurrencyPolicy;
import org.apache.hc.core5.reactor.IOReactorConfig;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;

/**
 * Sends requests to destinations. Each request looks its host up once, checks every address, and connects to a checked address:
 * the client itself looks up nothing, so that no second answer of a name server is ever used. Host header and TLS name stay those
 * of the URL. Connections are kept and used again; HTTP/2 is used where TLS offers it. Redirects, cookies, compression and
 * retries of the client are off. Thread-safe.
 */
public final class WebhookClient implements AutoCloseable {

    /** How long an answer's body may take after its head; a body is kept for people only. */
    static final Duration BODY_GRACE = Duration.ofSeconds(1);

    private static final Timeout CONNECT_LIMIT = Timeout.ofSeconds(5);
    private static final TimeValue KEEP_IDLE = TimeValue.ofSeconds(30);
    private static final TimeValue CHECK_AFTER = TimeValue.ofSeconds(1);
    private static final int MOST_CONNECTIONS = 4_000;
    private static final int MOST_PER_HOST = 1_000;

    /** One thread serves thousands of requests a second; the next thread gets a share of the connections of a larger machine. */
    private static final int IO_THREADS = Math.max(1, Runtime.getRuntime().availableProcessors() / 4);

    private static final Logger LOG = System.getLogger(WebhookClient.class.getPackageName());

    private final HostAddresses addresses;
    private final Optional<HttpHost> proxy;
    private final Time time;
    private final CloseableHttpAsyncClient client;
    private volatile boolean closed;

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
        client = build(tls);
        client.start();
    }

    private CloseableHttpAsyncClient build(Optional<SSLContext> tls) {
        HttpAsyncClientBuilder builder = HttpAsyncClientBuilder.create()
                .setConnectionManager(connections(tls))
                .setHttp1Config(Http1Config.custom()
                        .setMaxHeaderCount(200)
                        .setMaxLineLength(16 * 1024)
                        .build())
                .setDefaultRequestConfig(RequestConfig.custom()
                        .setRedirectsEnabled(false)
                        .setAuthenticationEnabled(false)
                        .setContentCompressionEnabled(false)
                        .setProtocolUpgradeEnabled(false)
                        .setConnectionKeepAlive(KEEP_IDLE)
                        .setHardCancellationEnabled(true)
                        .build())
                .setIOReactorConfig(IOReactorConfig.custom()
                        .setIoThreadCount(IO_THREADS)
                        .setTcpNoDelay(true)
                        .build())
                .evictIdleConnections(KEEP_IDLE)
                .setIoReactorExceptionCallback(this::threadFailed)
                .setUserAgent("Redrive")
                .disableRedirectHandling()
                .disableAutomaticRetries()
                .disableCookieManagement()
                .disableAuthCaching()
                .disableContentCompression()
                .disableConnectionState();
        proxy.ifPresent(builder::setProxy);
        return builder.build();
    }

    private AsyncClientConnectionManager connections(Optional<SSLContext> tls) {
        // Both verify the name of the destination: the handshake and the client. A version of the client left it to
        // neither.
        ClientTlsStrategyBuilder strategy = ClientTlsStrategyBuilder.create()
                .setHostVerificationPolicy(HostnameVerificationPolicy.BOTH)
                .setHostnameVerifier(HttpsSupport.getDefaultHostnameVerifier());
        tls.ifPresent(strategy::setSslContext);
        return PoolingAsyncClientConnectionManagerBuilder.create()
                .setTlsStrategy(strategy.buildAsync())
                .setDnsResolver(new ProxyOnlyResolver(proxy))
                .setMaxConnTotal(MOST_CONNECTIONS)
                .setMaxConnPerRoute(MOST_PER_HOST)
                .setPoolConcurrencyPolicy(PoolConcurrencyPolicy.LAX)
                .setDefaultTlsConfig(TlsConfig.custom()
                        .setVersionPolicy(HttpVersionPolicy.NEGOTIATE)
                        .setHandshakeTimeout(CONNECT_LIMIT)
                        .build())
                .setDefaultConnectionConfig(ConnectionConfig.custom()
                        .setConnectTimeout(CONNECT_LIMIT)
                        .setSocketTimeout(Timeout.DISABLED)
                        .setValidateAfterInactivity(CHECK_AFTER)
                        .build())
                .build();
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
        AnswerConsumer consumer = new AnswerConsumer();
        Future<Answer> answer = client.execute(target, producer(request, target), consumer, null, null, null);
        try {
            return new SendResult.Answered(await(answer, consumer, deadline));
        } catch (TimeoutException e) {
            answer.cancel(true);
            return new SendResult.NotAnswered(new AttemptTimeoutException(request.limit()));
        } catch (ExecutionException | CancellationException e) {
            // The status was received: the end of the connection changes nothing about the delivery.
            return consumer.soFar()
                    .<SendResult>map(SendResult.Answered::new)
                    .orElseGet(() -> failure(e.getCause() == null ? e : e.getCause()));
        } catch (InterruptedException e) {
            answer.cancel(true);
            throw e;
        }
    }

    /** Waits in steps: once the head of the answer is there, its body gets one more step. */
    private Answer await(Future<Answer> answer, AnswerConsumer consumer, long deadline)
            throws InterruptedException, ExecutionException, TimeoutException {
        boolean headSeen = false;
        while (true) {
            long left = deadline - time.nanos();
            try {
                return answer.get(Math.max(0, Math.min(left, BODY_GRACE.toNanos())), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                boolean over = deadline - time.nanos() <= 0;
                Optional<Answer> soFar = consumer.soFar();
                if (soFar.isPresent() && (headSeen || over)) {
                    answer.cancel(true);
                    return soFar.get();
                }
                if (over) {
                    throw e;
                }
                headSeen = soFar.isPresent();
            }
        }
    }

    private SendResult failure(Throwable cause) {
        if (proxy.isPresent() && (isRefusal(cause) || cause instanceof UnknownHostException)) {
            return new SendResult.NotSent("the proxy " + proxy.get() + " cannot be reached: " + cause.getMessage());
        }
        String message = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
        if (message.contains("network is unreachable") || message.contains("network is down")) {
            return new SendResult.NotSent("the network is unreachable");
        }
        return new SendResult.NotAnswered(cause instanceof Exception e ? e : new IOException(cause));
    }

    private static boolean isRefusal(SendResult result) {
        return result instanceof SendResult.NotAnswered failed && isRefusal(failed.cause());
    }

    private static boolean isRefusal(Throwable cause) {
        return cause instanceof ConnectException || cause instanceof NoRouteToHostException;
    }

    private static AsyncRequestProducer producer(OutgoingRequest request, HttpHost target) {
        BasicHttpRequest head = new BasicHttpRequest(Method.POST, target, pathOf(request.url()));
        request.headers().forEach(head::addHeader);
        return new BasicRequestProducer(head, new BasicAsyncEntityProducer(request.body(), null));
    }

    private static String pathOf(URI url) {
        String path = url.getRawPath() == null || url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        return url.getRawQuery() == null ? path : path + "?" + url.getRawQuery();
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

    /** The threads of a client that closes complain about their closed selector. */
    private void threadFailed(Exception cause) {
        if (!closed) {
            LOG.log(Level.ERROR, "a thread of the client failed", cause);
        }
    }

    @Override
    public void close() {
        closed = true;
        client.close(CloseMode.GRACEFUL);
    }

    /** Finds the proxy and no other host. */
    private record ProxyOnlyResolver(Optional<HttpHost> proxy) implements DnsResolver {

        @Override
        public InetAddress[] resolve(String host) throws UnknownHostException {
            if (proxy.isPresent() && proxy.get().getHostName().equals(host)) {
                return InetAddress.getAllByName(host);
            }
            throw new UnknownHostException("the client must not look up '" + host + "'");
        }

        @Override
        public String resolveCanonicalHostname(String host) {
            return host;
        }
    }
}
