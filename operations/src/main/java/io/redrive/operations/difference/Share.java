package io.redrive.operations.difference;

/**
 * The documents with a trait.
 *
 * @param having the documents with the trait
 * @param of the documents that tell whether they have the trait
 * @param unknown the documents that do not tell, because their payload is cut or not JSON
 */
public record Share(long having, long of, long unknown) {

    /** Returns the share, from 0 to 1; zero of no documents. */
    public double rate() {
        return of == 0 ? 0 : (double) having / of;
    }

    /** Returns the share of the documents without the trait. */
    Share complement() {
        return new Share(of - having, of, unknown);
    }
}
