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

/** A call of a library in a scenario; {@link RetrySuite} runs each pair in a separate JVM. */
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
