package io.redrive.core;

/** Throws checked exceptions from methods that do not declare them: a call ends with the work's own exception. */
final class Undeclared {

    private Undeclared() {}

    /** Throws {@code error}; the return type only lets the compiler see that the caller's path ends. */
    @SuppressWarnings("unchecked")
    static <X extends Throwable> X sneaky(Throwable error) throws X {
        throw (X) error;
    }
}
