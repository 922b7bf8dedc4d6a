package io.redrive.bench;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** One call of one library in one case; {@link RetrySuite} runs it in a JVM of its own for each. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RetryBenchmark {

    @Param("OURS")
    public String library;

    @Param("SUCCESS")
    public String scenario;

    private Callable<Object> call;

    @Setup
    public void prepare() {
        call = RetryScenario.valueOf(scenario).prepare(Library.valueOf(library));
    }

    @Benchmark
    public Object call() throws Exception {
        return call.call();
    }
}
