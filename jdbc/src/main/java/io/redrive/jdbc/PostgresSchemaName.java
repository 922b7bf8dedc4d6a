package io.redrive.jdbc;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The schema that a store's tables are in. Statements are written for {@value #USUAL} and name it in full, since they also
 * run on connections of callers, who have a search path of their own.
 */
final class PostgresSchemaName {

    static final String USUAL = "redrive";

    private static final Pattern VALID = Pattern.compile("[a-z_][a-z0-9_]{0,62}");
    /** Marks our advisory locks among all others of the database: "rdrv". */
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

    /** The key of an advisory lock for something that one transaction at a time does in this schema. */
    long lock(String purpose) {
        return LOCKS | (name + ' ' + purpose).hashCode() & 0xFFFF_FFFFL;
    }

    @Override
    public String toString() {
        return name;
    }
}
