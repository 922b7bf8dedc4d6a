package io.redrive.bench;

import java.util.List;
import java.util.function.Consumer;

/** A set of cases measured together: Redrive, the peers and the limit in the same run, on the same machine. */
interface Suite {

    /** The name on the command line and in the results. */
    String name();

    /** One line about it. */
    String about();

    /** The options of the suite besides {@link Options#QUICK}. */
    default List<Options.Option> options() {
        return List.of();
    }

    /** Measures all cases; {@code progress} takes a line from time to time. */
    List<BenchResult> run(Options options, Consumer<String> progress) throws Exception;
}
