package io.redrive.bench;

import java.util.List;
import java.util.function.Consumer;

/** A set of cases that are measured together: ours, the peers and the limit in one run, on one machine. */
interface Suite {

    /** What it is called on the command line and in the results. */
    String name();

    /** One line about it. */
    String about();

    /** The options it takes besides {@link Options#QUICK}. */
    default List<Options.Option> options() {
        return List.of();
    }

    /** Measures everything; {@code progress} takes a line now and then for whoever waits. */
    List<BenchResult> run(Options options, Consumer<String> progress) throws Exception;
}
