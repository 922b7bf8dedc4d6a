package io.redrive.server.webhook.http;

import io.redrive.core.Time;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.UnknownHostException;
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
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.Method;
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
 * Exchanges over TLS and through a proxy: HTTP/2 is used where TLS offers it. The client itself looks up no host but the proxy.
 * Redirects, cookies, compression and retries of the client are off.
 */
final class NegotiatedExchanger implements Exchanger {

    private static final Timeout CONNECT_LIMIT = Timeout.of(ExchangeLimits.CONNECT_LIMIT);
    private static final TimeValue KEEP_IDLE = TimeValue.of(ExchangeLimits.KEEP_IDLE);
    private static final TimeValue CHECK_AFTER = TimeValue.of(ExchangeLimits.CHECK_AFTER);
    private static final int MOST_CONNECTIONS = 4_000;
    private static final int MOST_PER_HOST = 1_000;

    /** One thread serves thousands of requests a second; the next thread gets a share of the connections of a larger machine. */
    private static final int IO_THREADS = Math.max(1, Runtime.getRuntime().availableProcessors() / 4);

    private static final Logger LOG = System.getLogger(NegotiatedExchanger.class.getPackageName());

    private final Optional<HttpHost> proxy;
    private final Time time;
    private final CloseableHttpAsyncClient client;
    private volatile boolean closed;

    NegotiatedExchanger(Optional<HttpHost> proxy, Optional<SSLContext> tls, Time time) {
        this.proxy = proxy;
        this.time = time;
        client = build(tls);
        client.start();
    }

    private CloseableHttpAsyncClient build(Optional<SSLContext> tls) {
        HttpAsyncClientBuilder builder = HttpAsyncClientBuilder.create()
                .setConnectionManager(connections(tls))
                .setHttp1Config(ExchangeLimits.HEAD_LIMITS)
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
                .setUserAgent(ExchangeLimits.USER_AGENT)
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

    @Override
    public Answer exchange(OutgoingRequest request, HttpHost target, long deadline)
            throws IOException, HttpException, TimeoutException, InterruptedException {
        AnswerConsumer consumer = new AnswerConsumer();
        Future<Answer> answer = client.execute(target, producer(request, target), consumer, null, null, null);
        try {
            return await(answer, consumer, deadline);
        } catch (TimeoutException | InterruptedException e) {
            answer.cancel(true);
            throw e;
        } catch (ExecutionException | CancellationException e) {
            // The status was received: the end of the connection changes nothing about the delivery.
            Optional<Answer> soFar = consumer.soFar();
            if (soFar.isPresent()) {
                return soFar.get();
            }
            Throwable cause = e.getCause() == null ? e : e.getCause();
            if (cause instanceof HttpException malformed) {
                throw malformed;
            }
            throw cause instanceof IOException failed ? failed : new IOException(cause);
        }
    }

    /** Waits in steps: once the head of the answer is there, its body gets one more step. */
    private Answer await(Future<Answer> answer, AnswerConsumer consumer, long deadline)
            throws InterruptedException, ExecutionException, TimeoutException {
        boolean headSeen = false;
        while (true) {
            long left = deadline - time.nanos();
            try {
                return answer.get(
                        Math.max(0, Math.min(left, ExchangeLimits.BODY_GRACE.toNanos())), TimeUnit.NANOSECONDS);
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

    private static AsyncRequestProducer producer(OutgoingRequest request, HttpHost target) {
        BasicHttpRequest head = new BasicHttpRequest(Method.POST, target, request.path());
        request.headers().forEach(head::addHeader);
        return new BasicRequestProducer(head, new BasicAsyncEntityProducer(request.body(), null));
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
