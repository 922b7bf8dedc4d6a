package io.redrive.operations;

import com.dashjoin.jsonata.Functions;
import com.dashjoin.jsonata.Jsonata;
import com.dashjoin.jsonata.Jsonata.Frame;
import com.dashjoin.jsonata.Jsonata.JFunction;
import com.sun.management.ThreadMXBean;
import io.redrive.core.Time;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The bounds of one evaluation: time, depth, sizes and memory, checked before and after each part of the expression. The engine's
 * own bounds know only time and depth. Functions that build a large text in one step check the size first; {@code $eval} is not
 * allowed, because the text that it evaluates has not been checked.
 */
final class ExpressionBounds {

    static final int MAX_DEPTH = 100;
    /** The most characters of a text, or values of a list, that an expression may build on its way. */
    static final int MAX_PART = 4 << 20;
    /** The most bytes that an evaluation may allocate. */
    static final long MAX_ALLOCATED = 512L << 20;

    /** The real clock: a limit on computing must hold also where a test stops the time. */
    private static final Time TIME = Time.system();

    private static final @Nullable ThreadMXBean MEMORY =
            ManagementFactory.getThreadMXBean() instanceof ThreadMXBean bean && bean.isThreadAllocatedMemorySupported()
                    ? bean
                    : null;

    private final long end = TIME.nanos() + RepairExpression.TIME_LIMIT.toNanos();
    private final long allocatedBefore = allocated();
    private int depth;

    /** Returns the variables of an evaluation on the current thread, which the bounds watch. */
    static Frame frame(Jsonata expression) {
        ExpressionBounds bounds = new ExpressionBounds();
        Frame frame = expression.createFrame();
        frame.setEvaluateEntryCallback((part, input, environment) -> bounds.enter());
        frame.setEvaluateExitCallback((part, input, environment, result) -> bounds.leave(result));
        frame.bind("pad", new JFunction((input, args) -> pad(args), "<s-ns?:s>"));
        frame.bind("join", new JFunction((input, args) -> join(args), "<a<s>s?:s>"));
        frame.bind("replace", new JFunction((input, args) -> replace(args), "<s-(sf)(sf)n?:s>"));
        frame.bind("string", new JFunction((input, args) -> string(args), "<x-b?:s>"));
        frame.bind("eval", new JFunction((input, args) -> eval(), "<sx?:x>"));
        return frame;
    }

    private void enter() {
        depth++;
        if (depth > MAX_DEPTH) {
            throw new RepairFailure("the expression must nest at most " + MAX_DEPTH + " calls, got more");
        }
        check();
    }

    private void leave(@Nullable Object result) {
        depth--;
        if (result instanceof String text) {
            requirePart(text.length());
        } else if (result instanceof Collection<?> items && !(result instanceof com.dashjoin.jsonata.Utils.RangeList)) {
            requirePart(items.size());
        }
        check();
    }

    private void check() {
        if (TIME.nanos() - end > 0 || Thread.currentThread().isInterrupted()) {
            throw RepairExpression.tooSlow();
        }
        if (allocated() - allocatedBefore > MAX_ALLOCATED) {
            throw tooMuchMemory();
        }
    }

    static RepairFailure tooMuchMemory() {
        return new RepairFailure("the expression must use at most " + (MAX_ALLOCATED >> 20) + " MiB, got more");
    }

    private static long allocated() {
        return MEMORY == null
                ? 0
                : MEMORY.getThreadAllocatedBytes(Thread.currentThread().getId());
    }

    private static void requirePart(long size) {
        if (size > MAX_PART) {
            throw new RepairFailure("the expression must build texts and lists of at most " + MAX_PART
                    + " characters or values, got more");
        }
    }

    private static @Nullable Object pad(List<?> args) {
        if (args.get(1) instanceof Number width) {
            requirePart((long) Math.abs(width.doubleValue()));
        }
        return Functions.pad((String) args.get(0), (Number) args.get(1), (String) argument(args, 2));
    }

    private static @Nullable Object join(List<?> args) {
        Object texts = args.get(0);
        if (!(texts instanceof List<?> list)) {
            return texts;
        }
        String separator = argument(args, 1) instanceof String given ? given : "";
        long size = 0;
        for (Object text : list) {
            size += separator.length() + String.valueOf(text).length();
            requirePart(size);
        }
        return Functions.join(list.stream().map(String::valueOf).toList(), separator);
    }

    private static @Nullable Object replace(List<?> args) throws Throwable {
        if (args.get(0) instanceof String text && argument(args, 2) instanceof String replacement) {
            requirePart((text.length() + 1L) * Math.max(1, replacement.length()) / 16);
        }
        Integer limit = argument(args, 3) instanceof Number number ? number.intValue() : null;
        return Functions.replace((String) args.get(0), argument(args, 1), argument(args, 2), limit);
    }

    private static @Nullable Object string(List<?> args) {
        requireText(argument(args, 0), MAX_PART);
        return Functions.string(argument(args, 0), (Boolean) argument(args, 1));
    }

    /** Returns what remains of the budget: lists may hold the same list many times. */
    private static long requireText(@Nullable Object value, long budget) {
        long left = budget - 1;
        if (value instanceof Map<?, ?> members) {
            for (Map.Entry<?, ?> member : members.entrySet()) {
                left = requireText(
                        member.getValue(),
                        left - String.valueOf(member.getKey()).length());
            }
        } else if (value instanceof Collection<?> items) {
            for (Object item : items) {
                left = requireText(item, left);
            }
        } else if (value instanceof String text) {
            left -= text.length();
        }
        requirePart(left < 0 ? MAX_PART + 1L : 0);
        return left;
    }

    private static Object eval() {
        throw new RepairFailure("$eval is not allowed in a repair");
    }

    private static @Nullable Object argument(List<?> args, int index) {
        return index < args.size() ? args.get(index) : null;
    }
}
