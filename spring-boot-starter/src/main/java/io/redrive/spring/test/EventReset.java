package io.redrive.spring.test;

import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/** Removes all events before each test method, because test methods share an application context. */
final class EventReset implements BeforeEachCallback {

    @Override
    public void beforeEach(ExtensionContext context) {
        SpringExtension.getApplicationContext(context)
                .getBeanProvider(TestPipeline.class)
                .ifAvailable(TestPipeline::reset);
    }
}
