package io.redrive.jdbc;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The schema of a store's tables. Statements are written for {@value #USUAL} and name the schema in full, because they
 * also run on callers' connections with any search path.
 */
final class PostgresSchemaName {

    static final String USUAL = "redrive";

    private static final Pattern VALID = Pattern.compile("[a-z_][a-z0-9_]{0,62}");
    /** The upper half of the key of every advisory lock of Redrive: "rdrv". */
    private static final long LOCKS = 0x72647276L << Integer.SIZE;

    private final String name;
    private final Map<String, String> renamed = new ConcurrentHashMap<>();

    PostgresSchemaName(String name) {
        this.name = require(name);
    }

    static String require(@Nullable String name) {
        if (name == null || !VALID.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "schema must be 1 to 63 lower-case letters, digits or underscores and not"
                            + " start with a digit, got '" + name + "'");
        }
        return name;
    }

    /** The statement for this schema. */
    String in(String sql) {
        return name.equals(USUAL) ? sql : renamed.computeIfAbsent(sql, this::rename);
    }

    private String rename(String sql) {
        return sql.replace(USUAL + ".", '"' + name + "\".");
    }

    /** The key of the advisory lock for one purpose in this schema. */
    long lock(String purpose) {
        return LOCKS | (name + ' ' + purpose).hashCode() & 0xFFFF_FFFFL;
    }

    @Override
    public String toString() {
        return name;
    }
}
