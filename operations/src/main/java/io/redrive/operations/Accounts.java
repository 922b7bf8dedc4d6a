package io.redrive.operations;

import java.util.List;

/**
 * The people whom a process lets in by a name and a password of its configuration. A process with accounts also accepts the tokens of
 * {@link TokenOperations}. Implementations are thread-safe.
 */
public interface Accounts {

    /**
     * A person with a password.
     *
     * @param name the name in the record of actions
     * @param role what the person may do
     */
    record Account(String name, Role role) {}

    /** Returns the people by name, as the configuration in force names them. */
    List<Account> list();

    /** Returns true when a caller needs a password or a token; false when everybody on the network may do everything. */
    boolean isRequired();
}
