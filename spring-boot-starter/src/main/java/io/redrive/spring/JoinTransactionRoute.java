package io.redrive.spring;

import io.redrive.events.Event;
import io.redrive.jdbc.PostgresStore;
import io.redrive.pipeline.Pipeline;
import java.sql.Connection;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The transactional outbox: publishes as part of the current transaction when the transaction is on the store's data source.
 */
final class JoinTransactionRoute implements PublishRoute {

    private final Pipeline pipeline;
    private final PostgresStore store;
    private final DataSource source;
    private final CommittedConnections committed;
    private final PublishRoute otherwise;

    JoinTransactionRoute(
            Pipeline pipeline, PostgresStore store, CommittedConnections committed, PublishRoute otherwise) {
        this.committed = committed;
        this.pipeline = pipeline;
        this.store = store;
        this.otherwise = otherwise;
        // Spring binds transactions to the data source behind the proxy.
        source = store.source() instanceof TransactionAwareDataSourceProxy proxy
                ? Objects.requireNonNull(proxy.getTargetDataSource(), "target data source of the proxy")
                : store.source();
    }

    @Override
    public List<Publication> publish(List<Event> events) {
        Object holder = TransactionSynchronizationManager.getResource(source);
        if (holder == null || committed.contains(holder) || !AfterCommitRoute.isInTransaction()) {
            return otherwise.publish(events);
        }
        Connection connection = DataSourceUtils.getConnection(source);
        try {
            return Publication.of(pipeline.publish(events, (checked, now) -> store.publish(connection, checked, now)));
        } finally {
            DataSourceUtils.releaseConnection(connection, source);
        }
    }
}
