package io.redrive.spring;

import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Remembers connections whose transaction has committed. During {@code afterCommit}, Spring still binds the connection to
 * the thread and calls the transaction active, but a write to this connection may never be committed.
 */
final class CommittedConnections implements TransactionExecutionListener {

    private final Set<Object> holders = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    @Override
    public void beforeCommit(TransactionExecution transaction) {
        TransactionSynchronizationManager.getResourceMap().values().stream()
                .filter(ConnectionHolder.class::isInstance)
                .forEach(holders::add);
    }

    boolean contains(Object holder) {
        return holders.contains(holder);
    }
}
