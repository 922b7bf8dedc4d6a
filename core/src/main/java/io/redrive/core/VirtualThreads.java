package io.redrive.core;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** Virtual threads where the running JVM has them (21 and later), found at run time: one build serves every version. */
public final class VirtualThreads {

    private static final @Nullable MethodHandle PER_TASK_EXECUTOR = lookUp();

    private VirtualThreads() {}

    /** True when the JVM has virtual threads. */
    public static boolean available() {
        return PER_TASK_EXECUTOR != null;
    }

    /** Returns a new executor that starts a virtual thread for each task; empty on JVMs before 21. */
    public static Optional<ExecutorService> newExecutor() {
        if (PER_TASK_EXECUTOR == null) {
            return Optional.empty();
        }
        try {
            return Optional.of((ExecutorService) PER_TASK_EXECUTOR.invokeExact());
        } catch (Throwable e) {
            throw new IllegalStateException("this JVM has virtual threads but cannot create an executor for them", e);
        }
    }

    private static @Nullable MethodHandle lookUp() {
        try {
            return MethodHandles.publicLookup()
                    .findStatic(
                            Executors.class,
                            "newVirtualThreadPerTaskExecutor",
                            MethodType.methodType(ExecutorService.class));
        } catch (NoSuchMethodException | IllegalAccessException olderJvm) {
            return null;
        }
    }
}
