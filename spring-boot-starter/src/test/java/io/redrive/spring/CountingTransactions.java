package io.redrive.spring;

import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/** Transactions over nothing, counted. */
final class CountingTransactions extends AbstractPlatformTransactionManager {

    private static final long serialVersionUID = 1L;

    int begun;
    int committed;
    int rolledBack;

    @Override
    protected Object doGetTransaction() {
        return new Object();
    }

    @Override
    protected void doBegin(Object transaction, TransactionDefinition definition) {
        begun++;
    }

    @Override
    protected void doCommit(DefaultTransactionStatus status) {
        committed++;
    }

    @Override
    protected void doRollback(DefaultTransactionStatus status) {
        rolledBack++;
    }
}
