package io.redrive.jdbc;

import io.redrive.items.store.DeadFilter;
import io.redrive.items.store.StageAttempt;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** A filter of dead samples as a WHERE clause with its parameters in order. */
record DeadSampleConditions(String where, List<Object> parameters) {

    /** Samples behind the last sample of a page; the newest come first. */
    private static final String AFTER = """
        (died_at < ? OR (died_at = ? AND run_samples.sample <
            (SELECT last.number * 1099511627776 FROM redrive.runs AS last WHERE last.id = ?) + ?))\
        """;

    static DeadSampleConditions of(DeadFilter filter, Dialect dialect) {
        List<String> conditions = new ArrayList<>();
        List<Object> parameters = new ArrayList<>();
        filter.run().ifPresent(run -> add(conditions, parameters, "runs.id = ?", run));
        filter.pipeline().ifPresent(pipeline -> add(conditions, parameters, "runs.pipeline = ?", pipeline));
        filter.stage().ifPresent(stage -> {
            if (stage.equals(StageAttempt.SOURCE)) {
                conditions.add("run_samples.stage = -1");
            } else {
                add(conditions, parameters, dialect.stageIs, stage);
            }
        });
        filter.errorType().ifPresent(type -> add(conditions, parameters, "run_samples.error_type = ?", type));
        filter.since().ifPresent(since -> add(conditions, parameters, "died_at >= ?", Micros.of(since)));
        filter.until().ifPresent(until -> add(conditions, parameters, "died_at < ?", Micros.of(until)));
        filter.after().ifPresent(last -> {
            conditions.add(AFTER);
            long died = Micros.of(last.death().at());
            parameters.addAll(List.of(died, died, last.run(), last.sample().ordinal()));
        });
        return new DeadSampleConditions(conditions.isEmpty() ? "1 = 1" : String.join(" AND ", conditions), parameters);
    }

    /** Binds the parameters from 1 on, and returns their number. */
    int bind(PreparedStatement statement) throws SQLException {
        for (int i = 0; i < parameters.size(); i++) {
            statement.setObject(i + 1, parameters.get(i));
        }
        return parameters.size();
    }

    private static void add(List<String> conditions, List<Object> parameters, String condition, Object parameter) {
        conditions.add(condition);
        parameters.add(parameter);
    }
}
