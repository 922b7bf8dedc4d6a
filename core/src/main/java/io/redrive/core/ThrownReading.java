package io.redrive.core;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The facts Redrive needs about an exception, read once. Methods of an exception are user code: each may throw,
 * return null, or return megabytes. The reading guards every call, cuts long texts, and replaces unreadable texts by
 * the name of the class. User code runs only in the constructor, so a method that blocks holds up only the thread
 * that ran the work.
 *
 * @param chain the exception and its causes, outermost first
 * @param type see {@link Failure#type}
 * @param message see {@link Failure#message}
 * @param status the status of the first {@link HasStatus} in the chain
 * @param kind the kind of the first {@link HasKind} in the chain
 * @param hint the delay that the first {@link HasRetryAfter} in the chain asks for
 */
record ThrownReading(
        List<Throwable> chain,
        String type,
        String message,
        OptionalInt status,
        Optional<String> kind,
        HintReading hint) {

    static ThrownReading of(Throwable error) {
        List<Throwable> chain = CauseChain.of(error);
        Throwable unwrapped = CauseChain.unwrap(chain);
        HasStatus withStatus = CauseChain.find(chain, HasStatus.class);
        HasKind withKind = CauseChain.find(chain, HasKind.class);
        OptionalInt status = statusOf(withStatus);
        Optional<String> kind = kindOf(withKind);
        String className = nameOf(unwrapped.getClass());
        String type = className;
        if (withStatus == unwrapped && status.isPresent()) {
            type = "http_" + status.getAsInt();
        } else if (withKind == unwrapped && kind.isPresent()) {
            type = kind.get();
        }
        // An exception whose status or kind is its type does not repeat the type in its message.
        boolean typed = withStatus == unwrapped || withKind == unwrapped;
        return new ThrownReading(
                chain,
                type,
                messageOf(unwrapped, typed),
                status,
                kind,
                HintReading.of(CauseChain.find(chain, HasRetryAfter.class)));
    }

    /** Returns the text of an exception for a log line, cut and guarded like a failure's message. */
    static String textOf(Throwable error) {
        return messageOf(error, false);
    }

    private static OptionalInt statusOf(@Nullable HasStatus carrier) {
        try {
            return carrier == null ? OptionalInt.empty() : OptionalInt.of(carrier.status());
        } catch (Throwable unreadable) {
            return OptionalInt.empty();
        }
    }

    private static Optional<String> kindOf(@Nullable HasKind carrier) {
        try {
            return Optional.ofNullable(carrier == null ? null : carrier.kind())
                    .filter(kind -> !kind.isBlank())
                    .map(kind -> cut(kind, Failure.MAX_TYPE));
        } catch (Throwable unreadable) {
            return Optional.empty();
        }
    }

    private static String messageOf(Throwable error, boolean typed) {
        try {
            String said = typed ? error.getMessage() : null;
            String text = said == null ? error.toString() : said;
            return text == null ? error.getClass().getName() : cut(text, Failure.MAX_MESSAGE);
        } catch (Throwable unreadable) {
            return error.getClass().getName() + " (reading its message threw "
                    + unreadable.getClass().getName() + ")";
        }
    }

    /** An anonymous class has no name; the name of its superclass says more. */
    private static String nameOf(Class<?> type) {
        try {
            String name = (type.isAnonymousClass() ? type.getSuperclass() : type).getSimpleName();
            return cut(name.isEmpty() ? type.getName() : name, Failure.MAX_TYPE);
        } catch (LinkageError malformed) {
            return cut(type.getName(), Failure.MAX_TYPE);
        }
    }

    /** Returns at most {@code limit} characters of a text; a pair of surrogates is not cut in two. */
    static String cut(String text, int limit) {
        if (text.length() <= limit) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(limit - 2)) ? limit - 2 : limit - 1;
        return text.substring(0, end) + "…";
    }

    /** The hint of a failure, or the exception thrown while reading the hint. */
    sealed interface HintReading {

        /** No hint. */
        HintReading NONE = new Hint(Optional.empty());

        /** Returns the delay asked for; empty when the hint cannot be read. */
        Optional<Duration> delay();

        /** Returns the delay asked for; throws when the hint cannot be read, as every broken part of a policy does. */
        Optional<Duration> orThrow();

        /** The hint was read; empty when there is none. */
        record Hint(Optional<Duration> delay) implements HintReading {
            @Override
            public Optional<Duration> orThrow() {
                return delay;
            }
        }

        /** {@link HasRetryAfter#retryAfter} threw {@code mistake}. */
        record Unreadable(Throwable mistake) implements HintReading {
            @Override
            public Optional<Duration> delay() {
                return Optional.empty();
            }

            @Override
            public Optional<Duration> orThrow() {
                throw Undeclared.<RuntimeException>sneaky(mistake);
            }
        }

        static HintReading of(Failure failure) {
            if (failure instanceof Failure.Thrown thrown) {
                return thrown.reading().hint();
            }
            return failure instanceof Failure.Result result ? of(result.value()) : new Hint(failure.hint());
        }

        static HintReading of(@Nullable Object value) {
            if (!(value instanceof HasRetryAfter carrier)) {
                return NONE;
            }
            try {
                Optional<Duration> delay = carrier.retryAfter();
                if (delay != null) {
                    return delay.isEmpty() ? NONE : new Hint(delay);
                }
            } catch (Throwable mistake) {
                return new Unreadable(mistake);
            }
            return new Unreadable(new IllegalStateException("retryAfter() must return an Optional, got null"));
        }
    }
}
