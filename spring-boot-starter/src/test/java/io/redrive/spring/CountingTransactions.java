package io.redrive.spring;

import org.springframework.transaction.SavepointManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/** Transactions over nothing, counted. */
final class CountingTransactions extends AbstractPlatformTransactionManager {

    private static final long serialVersionUID = 1L;

    int begun;
    int committed;
    int rolledBack;

    private boolean open;

    CountingTransactions() {
        setNestedTransactionAllowed(true);
    }

    @Override
    protected Object doGetTransaction() {
        return new Savepoints();
    }

    @Override
    protected boolean isExistingTransaction(Object transaction) {
        return open;
    }

    @Override
    protected void doBegin(Object transaction, TransactionDefinition definition) {
        begun++;
        open = true;
    }

    @Override
    protected void doCommit(DefaultTransactionStatus status) {
        committed++;
    }

    @Override
    protected void doRollback(DefaultTransactionStatus status) {
        rolledBack++;
    }

    @Override
    protected void doCleanupAfterCompletion(Object transaction) {
        open = false;
    }

    private static final class Savepoints implements SavepointManager {
        @Override
        public Object createSavepoint() {
            return new Object();
        }

        @Override
        public void rollbackToSavepoint(Object savepoint) {}

        @Override
        public void releaseSavepoint(Object savepoint) {}
    }
}
