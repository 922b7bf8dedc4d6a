package io.redrive.spring.test;

import io.redrive.core.ManualTime;
import io.redrive.core.Time;
import io.redrive.events.EventStore;
import io.redrive.pipeline.Pipeline;
import io.redrive.spring.PipelineCustomizer;
import io.redrive.spring.RedriveAutoConfiguration;
import java.util.SplittableRandom;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * A manual clock, a fixed random seed and a pipeline on the thread of the test. Imported by {@link AutoConfigureRedriveTest}
 * only.
 */
@AutoConfiguration(before = RedriveAutoConfiguration.class)
public final class RedriveTestAutoConfiguration {

    private static final long SEED = 42;

    @Bean
    @ConditionalOnMissingBean(Time.class)
    ManualTime redriveManualTime() {
        return new ManualTime();
    }

    @Bean
    PipelineCustomizer redriveStepByStep() {
        return pipeline -> pipeline.executor(Runnable::run).random(new SplittableRandom(SEED));
    }

    @Bean
    TestPipeline redriveTestPipeline(Pipeline pipeline, EventStore store, ManualTime time) {
        return new TestPipeline(pipeline, store, time);
    }
}
