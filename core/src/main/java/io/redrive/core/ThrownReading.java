package io.redrive.core;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What Redrive knows about an exception, read once. Methods of an exception are user code: each may throw anything, return
 * null, or return megabytes. The reading guards every call, cuts texts, and replaces what it cannot read by the name of
 * the class. Only the constructor's caller runs user code, so a method that blocks holds up the thread that ran the work
 * and no other.
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
        // An exception that says its type by a status or a kind need not say it by its class too.
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

    private static OptionalInt statusOf(HasStatus carrier) {
        try {
            return carrier == null ? OptionalInt.empty() : OptionalInt.of(carrier.status());
        } catch (Throwable unreadable) {
            return OptionalInt.empty();
        }
    }

    private static Optional<String> kindOf(HasKind carrier) {
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

    /** An anonymous class has no name of its own; the class it extends says more than nothing. */
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

    /**
     * A hint, or the mistake of the method that should have told it.
     *
     * @param delay the delay asked for
     * @param mistake thrown by {@link HasRetryAfter#retryAfter}, or null
     */
    record HintReading(Optional<Duration> delay, Throwable mistake) {

        private static final HintReading NONE = new HintReading(Optional.empty(), null);

        static HintReading of(Failure failure) {
            if (failure instanceof Failure.Thrown thrown) {
                return thrown.reading().hint();
            }
            return failure instanceof Failure.Result result
                    ? of(result.value())
                    : new HintReading(failure.hint(), null);
        }

        static HintReading of(Object value) {
            if (!(value instanceof HasRetryAfter carrier)) {
                return NONE;
            }
            try {
                Optional<Duration> delay = carrier.retryAfter();
                if (delay != null) {
                    return delay.isEmpty() ? NONE : new HintReading(delay, null);
                }
            } catch (Throwable mistake) {
                return new HintReading(Optional.empty(), mistake);
            }
            return new HintReading(
                    Optional.empty(), new IllegalStateException("retryAfter() must return an Optional, got null"));
        }

        /** Returns the delay; throws the mistake, so that the decision is that of a broken policy. */
        Optional<Duration> orThrow() {
            if (mistake != null) {
                throw Retry.<RuntimeException>sneaky(mistake);
            }
            return delay;
        }
    }
}
