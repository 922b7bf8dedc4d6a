package io.redrive.server.mcp;

import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.server.McpStatelessSyncServer;
import io.modelcontextprotocol.server.transport.HttpServletStatelessServerTransport;
import io.redrive.core.Time;
import io.redrive.events.EventStore;
import io.redrive.events.redaction.Redaction;
import io.redrive.items.store.RunStore;
import io.redrive.operations.Operations;
import io.redrive.operations.Operator;
import io.redrive.pipeline.ThresholdsInForce;
import io.redrive.server.access.Caller;
import io.redrive.spring.RedriveSettings;
import java.util.Map;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;

/** The path of assistants. The filters of the server find the caller of each request, as for the API. */
@Configuration(proxyBeanMethods = false)
class McpConfiguration {

    private static final String PATH = "/mcp";
    private static final String CALLER = "caller";
    private static final int MAX_REQUEST = 1_000_000;

    @Bean
    HttpServletStatelessServerTransport assistantTransport() {
        return HttpServletStatelessServerTransport.builder()
                .messageEndpoint(PATH)
                .maxRequestSize(MAX_REQUEST)
                .contextExtractor(request -> McpTransportContext.create(Map.of(
                        CALLER, AssistantServer.limited(Caller.of(request).operator()))))
                .build();
    }

    @Bean(destroyMethod = "close")
    McpStatelessSyncServer assistantServer(
            HttpServletStatelessServerTransport transport,
            RedriveSettings settings,
            EventStore store,
            RunStore runs,
            Time time,
            Redaction redaction,
            ThresholdsInForce thresholds) {
        return new AssistantServer(settings::eventPolicies, time::now)
                .serve(
                        transport,
                        context -> Operations.of(store, (Operator) context.get(CALLER), time)
                                .withRuns(runs)
                                .showing(redaction)
                                .withAlerts(thresholds));
    }

    /** After the filters that find the caller. */
    @Bean
    FilterRegistrationBean<RpcBodyFilter> assistantBodies() {
        FilterRegistrationBean<RpcBodyFilter> filter = new FilterRegistrationBean<>(new RpcBodyFilter(MAX_REQUEST));
        filter.addUrlPatterns(PATH);
        filter.setOrder(Ordered.LOWEST_PRECEDENCE);
        return filter;
    }

    @Bean
    ServletRegistrationBean<HttpServletStatelessServerTransport> assistantServlet(
            HttpServletStatelessServerTransport transport) {
        return new ServletRegistrationBean<>(transport, PATH);
    }
}
