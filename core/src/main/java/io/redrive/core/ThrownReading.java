package io.redrive.core;

import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The facts Redrive needs about an exception, read once. Methods of an exception are user code: each may throw,
 * return null, return megabytes, or never return. The reading guards every call, cuts long texts, ends at the time
 * limit of {@link BoundedReading}, and replaces unreadable texts by the name of the class. A fact that was not read in
 * time counts as absent.
 *
 * @param chain the exception and its causes, outermost first
 * @param type see {@link Failure#type}
 * @param message see {@link Failure#message}
 * @param detail see {@link Failure.Thrown#detail}
 * @param status the status of the first {@link HasStatus} in the chain
 * @param kind the kind of the first {@link HasKind} in the chain
 * @param hint the delay that the first {@link HasRetryAfter} in the chain asks for
 * @param answer the answer of the first {@link HasAnswer} in the chain
 * @param complete false when the time limit ended the reading
 */
record ThrownReading(
        List<Throwable> chain,
        String type,
        String message,
        String detail,
        OptionalInt status,
        Optional<String> kind,
        HintReading hint,
        Optional<String> answer,
        boolean complete) {

    /** Most exceptions in a stack trace that is printed. */
    private static final int MAX_PRINTED = 1_000;

    static ThrownReading of(Throwable error) {
        List<Throwable> chain = CauseChain.of(error);
        Facts facts = new Facts(chain);
        if (runsUserCode(chain)) {
            return facts.readSoFar(BoundedReading.ends(facts::read));
        }
        facts.read();
        return facts.readSoFar(true);
    }

    /** Creates no stream: this runs for every failed attempt. */
    private static boolean runsUserCode(List<Throwable> chain) {
        for (int i = 0; i < chain.size(); i++) {
            if (BoundedReading.runsUserCode(chain.get(i))) {
                return true;
            }
        }
        return false;
    }

    /** Returns the text of an exception for a log line, cut and guarded like a failure's message. */
    static String textOf(Throwable error) {
        return of(error).message();
    }

    /** Returns true when the stack trace can be printed: no method throws or blocks. */
    boolean isPrintable() {
        boolean harmless =
                chain.stream().allMatch(one -> !BoundedReading.runsUserCode(one) && one.getSuppressed().length == 0);
        Set<Throwable> printed = Collections.newSetFromMap(new IdentityHashMap<>());
        return harmless || complete && BoundedReading.ends(() -> print(chain.get(0), printed));
    }

    /** Calls the methods that printing a stack trace calls; throws where the stack trace would have no end. */
    private static void print(Throwable error, Set<Throwable> printed) {
        if (!printed.add(error)) {
            return;
        }
        if (printed.size() > MAX_PRINTED) {
            throw new IllegalStateException("a stack trace of more than " + MAX_PRINTED + " exceptions");
        }
        error.getStackTrace();
        error.toString();
        for (Throwable suppressed : error.getSuppressed()) {
            print(suppressed, printed);
        }
        Throwable cause = error.getCause();
        if (cause != null) {
            print(cause, printed);
        }
    }

    /** Reads one fact after the other: the facts that the decision needs first, the texts last. */
    private static final class Facts {
        private final List<Throwable> chain;
        private final Throwable unwrapped;
        private final @Nullable HasStatus withStatus;
        private final @Nullable HasKind withKind;
        private volatile OptionalInt status = OptionalInt.empty();
        private volatile Optional<String> kind = Optional.empty();
        private volatile HintReading hint = HintReading.NONE;
        private volatile Optional<String> answer = Optional.empty();
        private volatile @Nullable String detail;
        /** Null until the text was read. */
        private volatile @Nullable String text;

        Facts(List<Throwable> chain) {
            this.chain = chain;
            unwrapped = CauseChain.unwrap(chain);
            withStatus = CauseChain.find(chain, HasStatus.class);
            withKind = CauseChain.find(chain, HasKind.class);
        }

        void read() {
            status = statusOf(withStatus);
            kind = kindOf(withKind);
            hint = HintReading.of(CauseChain.find(chain, HasRetryAfter.class));
            text = textOf(unwrapped);
            detail = detailOf(unwrapped);
            answer = answerOf(CauseChain.find(chain, HasAnswer.class));
        }

        ThrownReading readSoFar(boolean complete) {
            // An exception whose status or kind is its type does not repeat the type in its message.
            boolean typed = withStatus == unwrapped || withKind == unwrapped;
            @Nullable String read = text;
            String shown = read == null ? textNotRead() : read;
            @Nullable String said = detail;
            return new ThrownReading(
                    chain,
                    type(),
                    typed && said != null ? said : shown,
                    said == null ? shown : said,
                    status,
                    kind,
                    hint,
                    answer,
                    complete);
        }

        private String textNotRead() {
            return unwrapped.getClass().getName() + " (its message was not read within "
                    + DurationText.format(BoundedReading.LIMIT) + ")";
        }

        private String type() {
            if (withStatus == unwrapped && status.isPresent()) {
                return "http_" + status.getAsInt();
            }
            return withKind == unwrapped && kind.isPresent() ? kind.get() : nameOf(unwrapped.getClass());
        }

        private static String textOf(Throwable error) {
            try {
                String text = error.toString();
                return text == null ? error.getClass().getName() : cut(text, Failure.MAX_MESSAGE);
            } catch (Throwable unreadable) {
                return error.getClass().getName() + " (reading its message threw "
                        + unreadable.getClass().getName() + ")";
            }
        }

        private static @Nullable String detailOf(Throwable error) {
            try {
                String said = error.getMessage();
                return said == null ? null : cut(said, Failure.MAX_MESSAGE);
            } catch (Throwable unreadable) {
                return null;
            }
        }
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

    private static Optional<String> answerOf(@Nullable HasAnswer carrier) {
        try {
            return Optional.ofNullable(carrier == null ? null : carrier.answer())
                    .filter(answer -> !answer.isBlank())
                    .map(answer -> cut(answer, HasAnswer.MAX_ANSWER));
        } catch (Throwable unreadable) {
            return Optional.empty();
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
            return failure instanceof Failure.Result result ? ofResult(result.value()) : new Hint(failure.hint());
        }

        /** Returns the hint of a refused value; no hint when the value does not answer in time. */
        static HintReading ofResult(@Nullable Object value) {
            if (!(value instanceof HasRetryAfter) || !BoundedReading.runsUserCode(value)) {
                return of(value);
            }
            return BoundedReading.read(() -> of(value), NONE);
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
