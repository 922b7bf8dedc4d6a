package io.redrive.micrometer;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** One meter for each constant of an enum, all registered in the constructor. */
final class EnumMeters<E extends Enum<E>, M> {

    private final List<M> byOrdinal;

    EnumMeters(Class<E> type, Function<E, M> register) {
        byOrdinal = Arrays.stream(type.getEnumConstants()).map(register).toList();
    }

    M of(E constant) {
        return byOrdinal.get(constant.ordinal());
    }
}
