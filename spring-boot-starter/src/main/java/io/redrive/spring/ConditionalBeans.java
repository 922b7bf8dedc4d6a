package io.redrive.spring;

import io.redrive.events.EventStore;
import io.redrive.jdbc.PostgresStore;
import io.redrive.pipeline.Pipeline;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import tools.jackson.databind.json.JsonMapper;

/**
 * Beans that depend on the libraries of the application. The order of import matters: the last class of a kind applies when
 * no earlier class of the kind did.
 */
final class ConditionalBeans {

    private ConditionalBeans() {}

    /** Payloads in JSON. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(JsonMapper.class)
    static class WithJackson {

        @Bean
        @ConditionalOnBean(JsonMapper.class)
        Payloads redriveJacksonPayloads(JsonMapper mapper) {
            return new JacksonPayloads(mapper);
        }
    }

    /** Payloads without JSON. */
    @Configuration(proxyBeanMethods = false)
    static class WithoutJackson {

        @Bean
        @ConditionalOnMissingBean(Payloads.class)
        Payloads redrivePlainPayloads() {
            return new Payloads.Plain();
        }
    }

    /** Publishes events within database transactions. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({TransactionSynchronizationManager.class, DataSourceUtils.class})
    static class WithDatabase {

        @Bean
        CommittedConnections redriveCommittedConnections() {
            return new CommittedConnections();
        }

        @Bean
        PublishRoute redriveTransactions(Pipeline pipeline, EventStore store, CommittedConnections committed) {
            PublishRoute afterCommit = new AfterCommitRoute(PublishRoute.atOnce(pipeline));
            return store instanceof PostgresStore postgres
                    ? new JoinTransactionRoute(pipeline, postgres, committed, afterCommit)
                    : afterCommit;
        }
    }

    /** Publishes events after the commit of a transaction. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(TransactionSynchronizationManager.class)
    static class WithTransactions {

        @Bean
        @ConditionalOnMissingBean(PublishRoute.class)
        PublishRoute redriveAfterCommit(Pipeline pipeline) {
            return new AfterCommitRoute(PublishRoute.atOnce(pipeline));
        }
    }

    /** Publishes events at once, in an application without transactions. */
    @Configuration(proxyBeanMethods = false)
    static class WithoutTransactions {

        @Bean
        @ConditionalOnMissingBean(PublishRoute.class)
        PublishRoute redriveAtOnce(Pipeline pipeline) {
            return PublishRoute.atOnce(pipeline);
        }
    }
}
