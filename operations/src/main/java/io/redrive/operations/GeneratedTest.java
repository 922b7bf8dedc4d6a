package io.redrive.operations;

import java.util.Optional;

/**
 * A JUnit test that publishes the event of a dead letter again.
 *
 * @param packageName the package of the class; empty for none
 * @param className the simple name of the class
 * @param source the Java source, in ASCII
 * @param payload the payload that the class reads as the resource {@code className.payload} beside it; empty when the source
 *     contains the payload
 */
public record GeneratedTest(String packageName, String className, String source, Optional<byte[]> payload) {

    /** Returns the name of the source file. */
    public String fileName() {
        return className + ".java";
    }

    /** Returns the name of the resource with the payload. */
    public String payloadName() {
        return className + ".payload";
    }
}
