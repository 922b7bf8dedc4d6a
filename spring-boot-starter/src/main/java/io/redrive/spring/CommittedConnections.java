package io.redrive.spring;

import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Knows the connections whose transaction has committed while they are still bound to its thread. Spring tells nobody in an
 * {@code afterCommit} that the transaction it still calls active is over; what is written to the connection then may never be
 * committed.
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
